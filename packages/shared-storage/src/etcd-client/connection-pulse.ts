import type { EndpointOptions } from './endpoint-options.ts';

/** A connection that is looked after. */
export interface PulsedConnection {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Whether what comes is read now. */
  readonly reading: boolean;
  /** Asks the peer for a sign of life. */
  ping(): void;
  /** Breaks it. */
  lose(cause: Error): void;
}

/** What is known of a connection since the last look at it. */
interface Beat {
  read: number;
  written: number;
  /** Something was sent that nothing has come back after. */
  asked: boolean;
  probe: NodeJS.Timeout | undefined;
}

/**
 * Breaks connections of one endpoint whose peer has vanished without a word (a pod that was replaced, a node that was
 * lost): one is asked for a sign of life when nothing comes back for what was sent, and now and then when nothing is
 * sent. Whatever comes is a sign. Where one is dead all others are asked at once: most have nothing to send.
 */
export class ConnectionPulse {
  readonly #options: EndpointOptions;
  readonly #beats = new Map<PulsedConnection, Beat>();
  #timers: readonly NodeJS.Timeout[] = [];

  constructor(options: EndpointOptions) {
    this.#options = options;
  }

  add(connection: PulsedConnection): void {
    this.#beats.set(connection, {
      read: connection.bytesRead,
      written: connection.bytesWritten,
      asked: false,
      probe: undefined,
    });
    if (this.#beats.size > 1) return;
    this.#timers = [
      setInterval(() => this.#probeAll(), this.#options.keepaliveIntervalMs).unref(),
      setInterval(() => this.#listen(), this.#options.silenceMs).unref(),
    ];
  }

  delete(connection: PulsedConnection): void {
    clearTimeout(this.#beats.get(connection)?.probe);
    if (this.#beats.delete(connection) && this.#beats.size === 0)
      for (const timer of this.#timers) clearInterval(timer);
  }

  /** A ping has been answered. */
  answered(connection: PulsedConnection): void {
    const beat = this.#beats.get(connection);
    if (beat === undefined) return;
    clearTimeout(beat.probe);
    beat.probe = undefined;
    beat.read = connection.bytesRead;
    beat.written = connection.bytesWritten;
    beat.asked = false;
  }

  /** Breaks all connections. */
  close(): void {
    for (const connection of this.#beats.keys()) connection.lose(new Error('the client is closed'));
  }

  /** Asks for a sign of life now. */
  probe(connection: PulsedConnection): void {
    const beat = this.#beats.get(connection);
    if (beat === undefined || beat.probe !== undefined || !connection.reading) return;
    const before = connection.bytesRead;
    connection.ping();
    const timer = setTimeout(() => {
      // When this process itself was busy all the time, the answer may just not have been read.
      setImmediate(() => {
        setImmediate(() => {
          if (beat.probe !== timer) return;
          beat.probe = undefined;
          if (!connection.reading || connection.bytesRead !== before) return;
          this.delete(connection);
          connection.lose(new Error('keepalive ping was not answered'));
          this.#probeAll();
        });
      });
    }, this.#options.keepaliveTimeoutMs);
    beat.probe = timer;
  }

  #probeAll(): void {
    for (const connection of this.#beats.keys()) this.probe(connection);
  }

  #listen(): void {
    for (const [connection, beat] of this.#beats) {
      const { bytesRead, bytesWritten } = connection;
      const quiet = bytesRead === beat.read;
      // What was sent in the time in which something was heard may have been sent after it.
      beat.asked = bytesWritten !== beat.written || (quiet && beat.asked);
      beat.read = bytesRead;
      beat.written = bytesWritten;
      if (quiet && beat.asked) this.probe(connection);
    }
  }
}
