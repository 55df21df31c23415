import { parentPort, type MessagePort } from 'node:worker_threads';
import { eventText, type AuditBackend, type AuditEvent, type AuditHold } from './audit-event.ts';

/** Takes events that another thread has recorded: whether they were taken, or are going to be. */
export type TakeAuditEvents = (events: readonly AuditEvent[]) => boolean | Promise<boolean>;

/** What a thread tells that records, written as JSON there; `answers`: it waits to hear whether they were taken. */
interface RecordedMessage {
  readonly kind: 'recorded';
  readonly id: number;
  readonly events: readonly AuditEvent[];
  readonly answers: boolean;
}
/** What it hears. */
interface TakenMessage {
  readonly kind: 'taken';
  readonly id: number;
  readonly taken: boolean;
}

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
    this.#port.postMessage({ kind: 'recorded', id, events: events.map(written), answers } satisfies RecordedMessage);
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
  const taken = take(message.events);
  if (!message.answers) return;
  void Promise.resolve(taken).then((each) => {
    thread.postMessage({ kind: 'taken', id: message.id, taken: each } satisfies TakenMessage);
  });
}

function written(event: AuditEvent): AuditEvent {
  const { requestObject: _request, responseObject: _response, ...head } = event;
  return { ...head, text: eventText(event) };
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
