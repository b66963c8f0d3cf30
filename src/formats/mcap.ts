/** MCAP logs out and in: messages of topics over time, in compressed chunks that each stand for themselves. */
import { McapStreamReader, McapWriter } from "@mcap/core";
import { decompress } from "fzstd";
import { InputError } from "../model/input-error.ts";
import { VERSION } from "../version.ts";

export interface LogTopic {
  readonly name: string;
  /** As ROS 2 names it: geometry_msgs/msg/Vector3. */
  readonly type: string;
  readonly schema: string;
}
export interface LogFile {
  readonly name: string;
  /** Of its content: text/yaml. */
  readonly type: string;
  readonly text: string;
}

/** What a killed run may lose [bytes]. */
const CHUNK = 1 << 18;

interface Waiting {
  readonly topic: string;
  readonly time: bigint;
  readonly data: Uint8Array;
}

/** Messages wait until `flush`: the writer underneath must be waited for, and a simulation does not wait. */
export class McapLog {
  private readonly writer: McapWriter;
  private readonly ids = new Map<string, number>();
  private waiting: Waiting[] = [];
  private sequence = 0;

  constructor(write: (bytes: Uint8Array) => void, compress: (bytes: Uint8Array) => Uint8Array) {
    let position = 0n;
    const writable = {
      position: () => position,
      write: async (bytes: Uint8Array) => {
        write(bytes);
        position += BigInt(bytes.length);
      },
    };
    const compressChunk = (chunk: Uint8Array) => ({ compression: "zstd", compressedData: compress(chunk) });
    this.writer = new McapWriter({ writable, chunkSize: CHUNK, compressChunk });
  }

  async begin(
    topics: readonly LogTopic[],
    facts: Readonly<Record<string, string>>,
    files: readonly LogFile[],
  ): Promise<void> {
    const { writer } = this;
    await writer.start({ profile: "ros2", library: `sideslip ${VERSION}` });
    await writer.addMetadata({ name: "sideslip", metadata: new Map(Object.entries(facts)) });
    for (const { name, type, text } of files)
      await writer.addAttachment({
        name,
        logTime: 0n,
        createTime: 0n,
        mediaType: type,
        data: new TextEncoder().encode(text),
      });
    for (const { name, type, schema } of topics) {
      const data = new TextEncoder().encode(schema);
      const schemaId = await writer.registerSchema({ name: type, encoding: "ros2msg", data });
      const metadata = new Map<string, string>();
      this.ids.set(
        name,
        await writer.registerChannel({ topic: name, schemaId, messageEncoding: "cdr", metadata }),
      );
    }
  }

  /** Time in nanoseconds. */
  add(topic: string, time: bigint, data: Uint8Array): void {
    this.waiting.push({ topic, time, data });
  }

  async flush(): Promise<void> {
    const { waiting } = this;
    this.waiting = [];
    for (const { topic, time, data } of waiting)
      await this.writer.addMessage({
        channelId: this.ids.get(topic) ?? -1,
        sequence: this.sequence++,
        logTime: time,
        publishTime: time,
        data,
      });
  }

  async end(): Promise<void> {
    await this.flush();
    await this.writer.end();
  }
}

export interface LogMessage {
  readonly topic: string;
  /** ns. */
  readonly time: bigint;
  readonly data: Uint8Array;
}
export interface McapContents {
  topic?(topic: LogTopic): void;
  message?(message: LogMessage): void;
  facts?(facts: Readonly<Record<string, string>>): void;
  file?(file: LogFile): void;
}

/** Attachments that are not ours may be anything. */
const LARGEST_FILE = 4e6;
/** Sixty times our own chunks, and any record that is not in one; a hostile file cannot ask for more [bytes]. */
const LARGEST_CHUNK = 1 << 24;
const LARGEST_RECORD = 1 << 25;
/** Fed so much at once, the reader keeps little [bytes]. */
const PIECE = 1 << 20;
/** Topics and schemas of a log; ours have thirty. */
const MOST_NAMES = 4096;

/**
 * Reads a log piece by piece, in the order in which it was written. Damage ends the reading; what came before it is used. `end`
 * returns a description of the damage, or undefined.
 */
export class McapReading {
  private readonly contents: McapContents;
  private readonly file: string;
  private readonly schemas = new Map<number, { name: string; text: string }>();
  private readonly topics = new Map<number, string>();
  private reader: McapStreamReader | undefined;
  private bytes = 0;
  private records = 0;
  private problem?: string;

  constructor(file: string, contents: McapContents) {
    this.file = file;
    this.contents = contents;
    const zstd = (bytes: Uint8Array, size: bigint) => {
      if (size > LARGEST_CHUNK) throw new Error(`a chunk of ${size} bytes`);
      return decompress(bytes, new Uint8Array(Number(size)));
    };
    this.reader = new McapStreamReader({ decompressHandlers: { zstd } });
  }

  /** Whether anything more is of use. */
  add(piece: Uint8Array): boolean {
    const { reader } = this;
    if (reader === undefined) return false;
    this.bytes += piece.length;
    try {
      for (let at = 0; at < piece.length; at += PIECE) {
        reader.append(piece.subarray(at, at + PIECE));
        for (let record = reader.nextRecord(); record; record = reader.nextRecord()) this.take(record);
        if (reader.bytesRemaining() > LARGEST_RECORD)
          throw new Error(`a record of more than ${LARGEST_RECORD >> 20} MB`);
        if (this.topics.size + this.schemas.size > MOST_NAMES)
          throw new Error(`more than ${MOST_NAMES} topics and schemas`);
      }
    } catch (error) {
      if (error instanceof InputError) throw error;
      this.reader = undefined;
      this.problem = (error as Error).message.replace(/\s+/g, " ");
      if (this.records === 0)
        throw new InputError(`is not an MCAP log: ${this.problem}`, {
          file: this.file,
          allowed: "as sideslip run --out x.mcap writes it",
        });
      return false;
    }
    return !reader.done();
  }

  /** The problem with the file, if there is one. */
  end(): string | undefined {
    if (this.problem !== undefined) return `is damaged after ${this.records} records: ${this.problem}`;
    if (this.records === 0)
      throw new InputError(`is not an MCAP log`, {
        file: this.file,
        allowed: "as sideslip run --out x.mcap writes it",
      });
    if (this.reader?.done()) return undefined;
    return `ends in the middle, after ${this.bytes} bytes: its run was stopped; everything complete was read`;
  }

  private take(record: NonNullable<ReturnType<McapStreamReader["nextRecord"]>>): void {
    this.records++;
    const { contents } = this;
    if (record.type === "Message") {
      const topic = this.topics.get(record.channelId);
      if (topic !== undefined) contents.message?.({ topic, time: record.logTime, data: record.data });
    } else if (record.type === "Schema")
      this.schemas.set(record.id, { name: record.name, text: new TextDecoder().decode(record.data) });
    else if (record.type === "Channel") {
      if (this.topics.has(record.id)) return;
      this.topics.set(record.id, record.topic);
      const { name = "", text = "" } = this.schemas.get(record.schemaId) ?? {};
      contents.topic?.({ name: record.topic, type: name, schema: text });
    } else if (record.type === "Metadata" && record.name === "sideslip")
      contents.facts?.(Object.fromEntries(record.metadata));
    else if (record.type === "Attachment" && record.data.length < LARGEST_FILE)
      contents.file?.({
        name: record.name,
        type: record.mediaType,
        text: new TextDecoder().decode(record.data),
      });
  }
}
