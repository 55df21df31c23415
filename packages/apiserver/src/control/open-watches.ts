import type { ServerResponse } from 'node:http';

/** What a watch gets whose resourceVersion has been compacted, as a line of its stream. */
const expired = Buffer.from(
  `${JSON.stringify({
    type: 'ERROR',
    object: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'The resourceVersion for the provided watch is too old.',
      reason: 'Expired',
      code: 410,
    },
  })}\n`,
);
const newline = 0x0a;

/** One watch, and whether an event can be put in where its stream is. */
interface OpenWatch {
  readonly response: ServerResponse;
  betweenLines: boolean;
}

/** The watches that are being answered, so that they can be ended. */
export class OpenWatches {
  readonly #open = new Set<OpenWatch>();

  get size(): number {
    return this.#open.size;
  }

  add(response: ServerResponse): void {
    const watch: OpenWatch = { response, betweenLines: true };
    this.#open.add(watch);
    response.once('close', () => {
      this.#open.delete(watch);
    });
    const write = response.write.bind(response) as (...args: readonly unknown[]) => boolean;
    response.write = ((...args: readonly unknown[]) => {
      const chunk = args[0] as string | Uint8Array;
      if (typeof chunk === 'string') watch.betweenLines = chunk.endsWith('\n');
      else if (chunk.length > 0) watch.betweenLines = chunk[chunk.length - 1] === newline;
      return write(...args);
    }) as typeof response.write;
  }

  /**
   * Ends all of them with 410, so that their clients list again; those that cannot be told so just end. Their number.
   */
  expire(): number {
    const watches = [...this.#open];
    for (const { betweenLines, response } of watches) {
      const json = /^application\/json\b/.test(String(response.getHeader('content-type') ?? ''));
      if (!betweenLines) response.destroy();
      else if (json && response.headersSent) response.end(expired);
      else response.end();
    }
    return watches.length;
  }
}
