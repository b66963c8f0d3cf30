import { useRef } from "preact/hooks";
import { openFiles } from "../files.ts";

export function OpenFiles() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        title="vehicle, scenario, log or model of another tool"
        onClick={() => input.current?.click()}
      >
        Open…
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="open files"
        onChange={(event) => {
          void openFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
