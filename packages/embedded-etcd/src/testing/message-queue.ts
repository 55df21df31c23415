import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { Message } from './raw-client.ts';

/** The replies of a stream, taken one by one; the last is `{ error }` or `{ end: true }`. */
export class MessageQueue {
  readonly stream: ClientDuplexStream<Message, Message>;
  readonly #arrived: Message[] = [];
  #waiting: (() => void) | undefined;

  constructor(stream: ClientDuplexStream<Message, Message>) {
    this.stream = stream;
    stream.on('data', (message: Message) => this.#add(message));
    stream.on('error', (error: Error & { code?: number; details?: string }) =>
      this.#add({ error: { code: error.code, message: error.details } }),
    );
    stream.on('end', () => this.#add({ end: true }));
  }

  send(request: Message): void {
    this.stream.write(request);
  }

  /** The next reply; fails after `timeoutMs`. */
  async next(timeoutMs = 5000): Promise<Message> {
    const deadline = Date.now() + timeoutMs;
    while (this.#arrived.length === 0) {
      const left = deadline - Date.now();
      if (left <= 0) throw new RangeError(`no message within ${timeoutMs} ms`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#arrived.shift() as Message;
  }

  /** What arrives within `ms`. */
  async drain(ms: number): Promise<Message[]> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return this.#arrived.splice(0);
  }

  cancel(): void {
    this.stream.cancel();
  }

  #add(message: Message): void {
    this.#arrived.push(message);
    this.#waiting?.();
    this.#waiting = undefined;
  }
}
