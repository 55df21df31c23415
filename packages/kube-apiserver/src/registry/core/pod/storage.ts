import { createStatusStorage } from '@kubechain/apiserver';
import { bindingEntry } from '../binding/storage.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { podBinding } from './binding.ts';
import { podEviction } from './eviction.ts';
import { podStreams } from './streams.ts';
import {
  podEphemeralContainersStrategy,
  podFields,
  podResizeStrategy,
  podStatusStrategy,
  podStrategy,
} from './strategy.ts';

/** Serves pods and what is done to them: binding, eviction, ephemeralcontainers, resize, status and the streams. */
export const podStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'pods',
    strategy: podStrategy(context.capabilities),
    returnDeletedObject: true,
    fields: podFields,
    fieldLabelAliases: { 'spec.host': 'spec.nodeName' },
    indexers: { 'spec.nodeName': (attributes) => attributes.fields['spec.nodeName'] },
  });
  const status = createStatusStorage(store, podStatusStrategy);
  const binding: ReturnType<typeof podBinding> = {
    ...podBinding(store, context.clock),
    preservesObjectMetaOnCreate: true,
  };
  return [
    bindingEntry(binding),
    ['pods', store],
    ['pods/binding', binding],
    ['pods/ephemeralcontainers', createStatusStorage(store, podEphemeralContainersStrategy(context.capabilities))],
    [
      'pods/eviction',
      podEviction({
        pods: store,
        status,
        disruptionBudgets: () => context.storeOf('policy', 'poddisruptionbudgets'),
        clock: context.clock,
      }),
    ],
    ['pods/resize', createStatusStorage(store, podResizeStrategy(context.capabilities))],
    ['pods/status', status],
    ...podStreams({
      pods: store,
      nodes: () => context.storeOf('', 'nodes'),
      authorizer: context.authorizer,
      ...context.streaming,
    }),
  ];
};
