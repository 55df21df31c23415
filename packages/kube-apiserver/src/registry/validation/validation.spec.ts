import { noteEmptied } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { RESTContext } from '@kubechain/apiserver/resources';
import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { validateLease } from '../coordination/lease/validation.ts';
import { validateConfigMap, validateConfigMapChange } from '../core/configmap/validation.ts';
import { validateNamespace, validateNamespaceFinalize, validateNamespaceStatus } from '../core/namespace/validation.ts';
import { validateSecret, validateSecretChange } from '../core/secret/validation.ts';
import { validateEvent, validateNewEvent, validateNewEventChange } from '../events/event/validation.ts';
import { validatePriorityClass, validatePriorityClassUpdate } from '../scheduling/priorityclass/validation.ts';
import { validateRuntimeClass, validateRuntimeClassChange } from '../node/runtimeclass/validation.ts';

interface Row {
  readonly name: string;
  readonly errors: () => readonly FieldError[];
  readonly expected: readonly string[];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const core: RESTContext = internalContext({ groupResource: { group: '', resource: 'events' }, namespace: 'ns' });
const strict: RESTContext = internalContext({
  groupResource: { group: 'events.k8s.io', resource: 'events' },
  namespace: 'ns',
});
const event = { metadata: { name: 'e', namespace: 'ns' }, involvedObject: { namespace: 'ns' } };
const newEvent = {
  ...event,
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingComponent: 'a.b/c',
  reportingInstance: 'i',
  action: 'a',
  reason: 'r',
  type: 'Normal',
};

const rows: readonly Row[] = [
  { name: 'a config map', errors: () => validateConfigMap({ data: { a: 'b' } }), expected: [] },
  {
    name: 'a key in both maps',
    errors: () => validateConfigMap({ data: { a: 'b' }, binaryData: { a: 'YQ==' } }),
    expected: ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  },
  {
    name: 'a key that starts with two dots',
    errors: () => validateConfigMap({ binaryData: { '..x': '' } }),
    expected: ['binaryData[..x]: Invalid value: "..x": must not start with \'..\''],
  },
  {
    name: 'a config map that is too large',
    errors: () => validateConfigMap({ data: { a: 'x'.repeat(1024 * 1024 + 1) } }),
    expected: ['[]: Too long: may not be more than 1048576 bytes'],
  },
  {
    name: 'a frozen config map that is given a map without entries',
    errors: () => {
      const map = { immutable: true };
      noteEmptied(map, 'binaryData', 'map');
      return validateConfigMapChange(map, { immutable: true });
    },
    expected: ['binaryData: Forbidden: field is immutable when `immutable` is set'],
  },
  {
    name: 'a frozen config map',
    errors: () => validateConfigMapChange({ data: { a: 'c' } }, { immutable: true, data: { a: 'b' } }),
    expected: [
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
    ],
  },
  {
    name: 'a TLS secret without keys',
    errors: () => validateSecret({ type: 'kubernetes.io/tls' }),
    expected: ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
  },
  {
    name: 'basic auth with one of two',
    errors: () => validateSecret({ type: 'kubernetes.io/basic-auth', data: { username: '' } }),
    expected: [],
  },
  {
    name: 'a token without account',
    errors: () => validateSecret({ type: 'kubernetes.io/service-account-token' }),
    expected: ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
  },
  {
    name: 'docker configuration that is no JSON',
    errors: () => validateSecret({ type: 'kubernetes.io/dockercfg', data: { '.dockercfg': base64('[]') } }),
    expected: [
      'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go ' +
        'value of type map[string]interface {}',
    ],
  },
  {
    name: 'another type of secret',
    errors: () => validateSecretChange({ type: 'a' }, { type: 'b' }),
    expected: ['type: Invalid value: "a": field is immutable'],
  },
  {
    name: 'a finalizer without domain',
    errors: () => validateNamespace({ spec: { finalizers: ['kubernetes', 'x'] } }),
    expected: [
      'spec.finalizers: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    ],
  },
  {
    name: 'the same on finalize',
    errors: () => validateNamespaceFinalize({ spec: { finalizers: ['x'] } }),
    expected: [
      'spec.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    ],
  },
  {
    name: 'a phase without deletion',
    errors: () => validateNamespaceStatus({ status: { phase: 'Terminating' } }),
    expected: ['status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty'],
  },
  {
    name: 'a lease',
    errors: () => validateLease({ spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }),
    expected: [
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
    ],
  },
  { name: 'no handler', errors: () => validateRuntimeClass({ handler: '' }), expected: ['handler: Required value'] },
  {
    name: 'another handler',
    errors: () => validateRuntimeClassChange({ handler: 'b' }, { handler: 'a' }),
    expected: ['handler: Invalid value: "b": field is immutable'],
  },
  {
    name: 'a priority of the system',
    errors: () => validatePriorityClass({ metadata: { name: 'p' }, value: 1_000_000_001 }),
    expected: ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
  },
  {
    name: 'another priority',
    errors: () => validatePriorityClassUpdate({ value: 1 }, { value: 2 }),
    expected: ['value: Forbidden: may not be changed in an update.'],
  },
  { name: 'an old event', errors: () => validateEvent(event, core), expected: [] },
  {
    name: 'an event about another namespace',
    errors: () => validateEvent({ ...event, involvedObject: { namespace: 'x' } }, core),
    expected: ['involvedObject.namespace: Invalid value: "x": does not match event.namespace'],
  },
  {
    name: 'an old event in the new group',
    errors: () => [...validateEvent(event, strict), ...validateNewEvent(event)],
    expected: ['eventTime: Required value', 'type: Invalid value: "": has invalid value: '],
  },
  {
    name: 'a new event',
    errors: () => [...validateEvent(newEvent as never, strict), ...validateNewEvent(newEvent as never)],
    expected: [],
  },
  {
    name: 'a series of one',
    errors: () => validateNewEvent({ ...newEvent, series: { count: 1 } } as never),
    expected: ['series.count: Invalid value: "": should be at least 2', 'series.lastObservedTime: Required value'],
  },
  {
    name: 'a new event with another note',
    errors: () => validateNewEventChange({ ...newEvent, message: 'b' } as never, newEvent as never),
    expected: ['message: Invalid value: "b": field is immutable'],
  },
  {
    name: 'an event about something else',
    errors: () =>
      validateNewEventChange(
        { ...newEvent, involvedObject: { kind: 'Pod', namespace: 'default', name: 'q' }, count: 1 } as never,
        newEvent as never,
      ),
    expected: [
      'involvedObject: Invalid value: {"Kind":"Pod","Namespace":"default","Name":"q","UID":"","APIVersion":"",' +
        '"ResourceVersion":"","FieldPath":""}: field is immutable',
      'count: Invalid value: 1: field is immutable',
    ],
  },
  {
    name: 'the same through the core group',
    errors: () => validateEvent({ ...newEvent, message: 'b' } as never, core),
    expected: [],
  },
];

describe('rules of built-in kinds', () => {
  for (const { errors, expected, name } of rows)
    it(name, () => {
      expect(errors().map(String)).to.deep.equal(expected);
    });
});
