import { compactionContract } from './contract/compaction.ts';
import type { ContractTraits, NewStorage } from './contract/contract-storage.ts';
import { countContract } from './contract/count.ts';
import { createContract } from './contract/create.ts';
import { deleteContract } from './contract/delete.ts';
import { getContract } from './contract/get.ts';
import { guaranteedUpdateContract } from './contract/guaranteed-update.ts';
import { listContract } from './contract/list.ts';
import { modelContract } from './contract/model.ts';
import { pagingContract } from './contract/paging.ts';
import { transformationContract } from './contract/transformation.ts';
import { watchContract } from './contract/watch.ts';
import { watchStartContract } from './contract/watch-start.ts';

/**
 * Declares, as mocha suites, everything that storage.Interface promises. Every implementation runs it:
 *
 *     storageContract('etcd3 store on the embedded store', async setup => { …; return { storage, client, close } });
 */
export function storageContract(name: string, newStorage: NewStorage, traits: ContractTraits = {}): void {
  describe(`storage contract: ${name}`, () => {
    createContract(newStorage);
    getContract(newStorage);
    listContract(newStorage);
    pagingContract(newStorage, traits);
    guaranteedUpdateContract(newStorage);
    deleteContract(newStorage);
    watchContract(newStorage, traits);
    watchStartContract(newStorage, traits);
    countContract(newStorage);
    transformationContract(newStorage, traits);
    compactionContract(newStorage, traits);
    modelContract(newStorage, traits);
  });
}
