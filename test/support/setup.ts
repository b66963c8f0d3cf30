import fc from "fast-check";

// Property tests repeat themselves in `npm test`; `npm run soak` draws anew and tries more.
fc.configureGlobal(process.env.SIDESLIP_SOAK ? { numRuns: 20_000 } : { seed: 20260101, numRuns: 200 });

// Words are compared as a file would hold them, whatever the terminal that tests run in.
delete process.env.FORCE_COLOR;
