import { sleep, type TimerClock } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import { heapHeader, type HeapGauge } from '@kubechain/apiserver/watchdog';
import type { Client } from '../client/client.ts';

const log = new Logger('heap');

/** While there is no room it is said so often, in ms: a server believes it for three times as long. */
const tellAgainMs = 10_000;

/** What telling needs. */
export interface TellRoomOptions {
  readonly gauge: Pick<HeapGauge, 'full' | 'onChange'>;
  readonly clock: TimerClock;
  readonly signal: AbortSignal;
  /** Asks the server in the name of kube-controller-manager. */
  readonly client: Pick<Client, 'text'>;
}

/**
 * Tells the server when the heap of this process, which has what its controllers follow, has no room for more, for as
 * long as that is so, and once when there is room again.
 */
export function tellRoom({ client, clock, gauge, signal }: TellRoomOptions): void {
  const tell = async (): Promise<void> => {
    const value = gauge.full ? 'full' : 'room';
    try {
      await client.text({ method: 'GET', path: '/version', headers: { [heapHeader]: value }, signal });
    } catch (error) {
      if (!signal.aborted) log.error('the server was not told of the heap', error);
    }
  };
  let telling: Promise<void> | undefined;
  const tellAgain = async (): Promise<void> => {
    for (;;) {
      await sleep(clock, tellAgainMs, signal);
      if (!gauge.full || signal.aborted) break;
      await tell();
    }
    telling = undefined;
  };
  const leave = gauge.onChange((full) => {
    void tell();
    if (full) telling ??= tellAgain();
  });
  signal.addEventListener('abort', leave, { once: true });
}
