import type { TimerClock } from '@kubechain/apimachinery';
import { MovableClock } from '@kubechain/apimachinery/movable-clock';
import type { Assembly } from '@kubechain/apiserver/assembly';
import type { ServerEnvironment } from '@kubechain/apiserver/servers';
import { DataFileError, openEmbeddedStore, type EmbeddedStore } from '@kubechain/embedded-etcd';
import { LaunchError } from '../launch-error.ts';
import { DirectClient } from './direct-client.ts';

/** Stands for the store of this process where servers name theirs. */
export const storeOfThisProcess = 'http://store-of-this-process';

/** How the store of this process is opened. */
interface StoreOptions {
  readonly clock: TimerClock;
  /** As `ChainOptions` has it. */
  readonly quotaBytes?: number | undefined;
}

/**
 * Opens the store in a file, or `:memory:`, and makes clients of it for servers that name `storeOfThisProcess`.
 * @throws LaunchError `DataDir` when the file is in use, corrupt or another program's
 */
export function openStore(
  assembly: Assembly,
  dataFile: string,
  { clock, quotaBytes }: StoreOptions,
): Pick<ServerEnvironment, 'createEtcdClient'> {
  const store = assembly.open(
    'store',
    () => openDataFile(dataFile, { clock, quotaBytes }),
    (opened) => {
      opened.close();
    },
  );
  return {
    createEtcdClient: (servers) => (servers.join() === storeOfThisProcess ? new DirectClient(store) : undefined),
  };
}

function openDataFile(dataFile: string, { clock, quotaBytes }: StoreOptions): EmbeddedStore {
  try {
    return openEmbeddedStore({
      dataFile,
      ...(quotaBytes === undefined ? {} : { quotaBytes }),
      ...(clock instanceof MovableClock ? { clock } : {}),
    });
  } catch (cause) {
    if (cause instanceof DataFileError) throw new LaunchError('DataDir', cause.message, { cause });
    throw cause;
  }
}
