import { JSONText } from '../request/json-text.ts';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { writtenEvent, type AuditBackend, type AuditEvent, type AuditHold } from './audit-event.ts';

/** Takes events that another thread has recorded: whether they were taken, or are going to be. */
export type TakeAuditEvents = (events: readonly AuditEvent[]) => boolean | Promise<boolean>;

/** An event on its way: of its text, what was JSON before is the bytes alone, in pieces. */
type SentEvent = Omit<AuditEvent, 'text'> & { readonly text: readonly (string | Uint8Array<ArrayBuffer>[])[] };

/** What a thread tells that records, written as JSON there; `answers`: it waits to hear whether they were taken. */
interface RecordedMessage {
  readonly kind: 'recorded';
  readonly id: number;
  readonly events: readonly SentEvent[];
  readonly answers: boolean;
}
/** What it hears. */
interface TakenMessage {
  readonly kind: 'taken';
  readonly id: number;
  readonly taken: boolean;
}

/** Of what goes from one thread to another. */
const PIECE_BYTES = 1024 * 1024;

/**
 * The log and the webhook of a thread that serves beside the one that has them. Events are written as JSON in this
 * thread: they may have objects that would hold up the one that serves everybody.
 */
export class AuditRelay implements AuditBackend {
  readonly holds: AuditHold;
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, (taken: boolean) => void>();
  #nextID = 0;

  /** @param holds as those do that the events go to; `port`: to their thread */
  constructor(holds: AuditHold, port: MessagePort) {
    this.holds = holds;
    this.#port = port;
    if (holds !== 'nothing')
      port.on('message', (message: unknown) => {
        if (isTaken(message)) this.#heard(message);
      });
  }

  process(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    const id = this.#nextID++;
    const answers = this.holds !== 'nothing';
    const sent = events.map(sentEvent);
    this.#port.postMessage({ kind: 'recorded', id, events: sent, answers } satisfies RecordedMessage, memoryOf(sent));
    if (!answers) return true;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #heard({ id, taken }: TakenMessage): void {
    this.#waiting.get(id)?.(taken);
    this.#waiting.delete(id);
  }
}

/** The relay of a thread to the one that began it. @throws TypeError in the main thread */
export function relayOfThread(holds: AuditHold): AuditBackend {
  if (parentPort === null) throw new TypeError('the main thread has nobody to tell');
  return new AuditRelay(holds, parentPort);
}

/** What came from a thread; hands events on, if it is such, and answers where the thread waits. */
export function takeRelayed(message: unknown, thread: Pick<MessagePort, 'postMessage'>, take: TakeAuditEvents): void {
  if (!isRecorded(message)) return;
  const taken = take(message.events.map(receivedEvent));
  if (!message.answers) return;
  void Promise.resolve(taken).then((each) => {
    thread.postMessage({ kind: 'taken', id: message.id, taken: each } satisfies TakenMessage);
  });
}

function sentEvent(event: AuditEvent): SentEvent {
  const { text = [], ...head } = writtenEvent(event);
  return { ...head, text: text.map((part) => (typeof part === 'string' ? part : ownPieces(part))) };
}

/** What goes to another thread is not copied again: it leaves this one. Stored bytes may not, so that these are. */
function ownPieces(text: JSONText): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let left = text.size;
  let used = 0;
  for (const piece of text.pieces())
    for (let at = 0; at < piece.length;) {
      let last = pieces.at(-1);
      if (last === undefined || used === last.length) {
        last = new Uint8Array(Math.min(left, PIECE_BYTES));
        pieces.push(last);
        used = 0;
      }
      const part = piece.subarray(at, at + last.length - used);
      last.set(part, used);
      used += part.length;
      at += part.length;
      left -= part.length;
    }
  return pieces;
}

function memoryOf(events: readonly SentEvent[]): ArrayBuffer[] {
  return events.flatMap(({ text }) =>
    text.flatMap((part) => (typeof part === 'string' ? [] : part.map(({ buffer }) => buffer))),
  );
}

function receivedEvent(event: SentEvent): AuditEvent {
  return { ...event, text: event.text.map((part) => (typeof part === 'string' ? part : JSONText.of(part))) };
}

function isRecorded(message: unknown): message is RecordedMessage {
  return isKind(message, 'recorded');
}

function isTaken(message: unknown): message is TakenMessage {
  return isKind(message, 'taken');
}

function isKind(message: unknown, kind: string): boolean {
  return typeof message === 'object' && message !== null && (message as { readonly kind?: unknown }).kind === kind;
}
