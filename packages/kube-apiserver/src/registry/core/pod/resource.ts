import { createStatusStorage } from '@kubechain/apiserver/resources';
import { bindingEntry } from '../binding/binding-entry.ts';
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
import { defaultFormerPod, defaultPod } from './defaults.ts';
import { printPod } from './table.ts';
import { storedResource } from '../../resource.ts';

/** pods and what is done to them: binding, eviction, ephemeralcontainers, resize, status and the streams. */
export const podResource = storedResource({
  group: '',
  plural: 'pods',
  strategy: podStrategy,
  defaults: ({ capabilities }) => ({ v1: capabilities.enabled('ImageVolume') ? defaultPod : defaultFormerPod }),
  row: printPod,
  returnDeletedObject: true,
  fields: podFields,
  fieldLabelAliases: { 'spec.host': 'spec.nodeName' },
  indexers: { 'spec.nodeName': (attributes) => attributes.fields['spec.nodeName'] },
  also: (store, { authorizer, capabilities, clock, storeOf, streaming }) => {
    const status = createStatusStorage(store, podStatusStrategy(capabilities));
    const binding: ReturnType<typeof podBinding> = { ...podBinding(store, clock), preservesObjectMetaOnCreate: true };
    return [
      bindingEntry(binding),
      ['pods/binding', binding],
      [
        'pods/ephemeralcontainers',
        createStatusStorage(store, podEphemeralContainersStrategy(capabilities), { tables: false }),
      ],
      [
        'pods/eviction',
        podEviction({ pods: store, status, disruptionBudgets: () => storeOf('policy', 'poddisruptionbudgets'), clock }),
      ],
      ['pods/resize', createStatusStorage(store, podResizeStrategy(capabilities), { tables: false })],
      ['pods/status', status],
      ...podStreams({ pods: store, nodes: () => storeOf('', 'nodes'), authorizer, ...streaming }),
    ];
  },
});
