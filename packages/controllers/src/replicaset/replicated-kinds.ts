import { selectorFromMap, selectorFromObject } from '@kubechain/apimachinery';
import type { ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import type { ReplicationController } from '@kubechain/apimachinery/types/core/v1';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import type { Replicated, ReplicatedKind } from './replica-set-controller.ts';

type ReplicatedSet = Replicated & ReplicaSet;
type ReplicatedController = Replicated & ReplicationController;

export const replicaSets: ReplicatedKind<ReplicatedSet> = {
  type: resources.replicasets as ResourceType<ReplicatedSet>,
  component: 'replicaset-controller',
  queue: 'replicaset',
  selectorOf: ({ spec }) => {
    try {
      return selectorFromObject(spec?.selector);
    } catch {
      return undefined;
    }
  },
  countsTerminating: true,
};

export const replicationControllers: ReplicatedKind<ReplicatedController> = {
  type: resources.replicationcontrollers as ResourceType<ReplicatedController>,
  component: 'replication-controller',
  queue: 'replicationmanager',
  selectorOf: ({ spec }) => selectorFromMap(spec?.selector),
  countsTerminating: false,
};
