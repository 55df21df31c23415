import {
  append,
  FieldPath,
  byteLength,
  invalidValue,
  isDNS1123Subdomain,
  isQualifiedName,
  required,
} from '@kubechain/apimachinery';
import type { FieldError, JSONValue } from '@kubechain/apimachinery';
import type { Event } from '@kubechain/apimachinery/types/core/v1';
import type { RESTContext } from '@kubechain/apiserver/resources';
import { equalPointers, semanticEqual } from '../../semantic-equal.ts';
import { immutable } from '../../validation/immutable.ts';
import { internalForm } from '../../validation/internal-form.ts';

const nameLimit = 128;
const noteLimit = 1024;
const objectNamespace = FieldPath.of('involvedObject', 'namespace');
const mismatch = 'does not match event.namespace';

/** What events.k8s.io asks of new events besides (ValidateEventCreate of pkg/apis/core/validation, 1.36). */
export function validateNewEvent(event: Event): FieldError[] {
  const errors = validateSeries(event);
  if (!event.eventTime) errors.push(required('eventTime'));
  const { type = '' } = event;
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalidValue('type', '', `has invalid value: ${type}`));
  const unset = (field: string): void => {
    errors.push(invalidValue(field, '', 'needs to be unset'));
  };
  if (event.firstTimestamp) unset('firstTimestamp');
  if (event.lastTimestamp) unset('lastTimestamp');
  if ((event.count ?? 0) !== 0) unset('count');
  if (event.source?.component || event.source?.host) unset('source');
  return errors;
}

/** The fields that events.k8s.io lets nobody change, under their core names, in the reference's order. */
const fixed = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
] as const;

/** What it asks of updates: only a series may go on. */
export function validateNewEventChange(event: Event, old: Event): FieldError[] {
  const errors: FieldError[] = [];
  if (JSON.stringify(event.series) !== JSON.stringify(old.series)) append(errors, validateSeries(event));
  for (const field of fixed) {
    if (!(field === 'related' ? equalPointers : semanticEqual)(event[field] || undefined, old[field] || undefined))
      errors.push(invalidValue(field, printed(field, event), 'field is immutable'));
  }
  append(errors, immutable('reportingController', event.reportingComponent ?? '', old.reportingComponent ?? ''));
  append(errors, immutable('reportingInstance', event.reportingInstance ?? '', old.reportingInstance ?? ''));
  return errors;
}

/** A field as the internal type prints it. */
function printed(field: (typeof fixed)[number], event: Event): JSONValue {
  switch (field) {
    case 'involvedObject':
      return internalForm('core.ObjectReference', event.involvedObject);
    case 'related':
      return event.related === undefined ? null : internalForm('core.ObjectReference', event.related);
    case 'source':
      return internalForm('core.EventSource', event.source);
    case 'firstTimestamp':
    case 'lastTimestamp':
    case 'eventTime':
      return event[field] || null;
    case 'count':
      return event.count ?? 0;
    default:
      return event[field] ?? '';
  }
}

function isCore({ request }: RESTContext): boolean {
  return request.requestInfo.apiGroup === '';
}

function validateSeries({ series }: Event): FieldError[] {
  if (series === undefined) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [required('series.lastObservedTime')]),
  ];
}

/** Rules of events of both groups (legacyValidateEvent). */
export function validateEvent(event: Event, context: RESTContext): FieldError[] {
  const errors: FieldError[] = [];
  const namespace = event.metadata?.namespace ?? '';
  const about = event.involvedObject?.namespace ?? '';
  if (!event.eventTime) {
    const agrees = about === '' ? namespace === '' || namespace === 'default' : namespace === about;
    if (!agrees) errors.push(invalidValue(objectNamespace, about, mismatch));
  } else {
    if (about === '' && namespace !== 'default' && namespace !== 'kube-system')
      errors.push(invalidValue(objectNamespace, about, mismatch));
    const controller = event.reportingComponent ?? '';
    const controllerField = isCore(context) ? 'reportingComponent' : 'reportingController';
    if (controller === '') errors.push(required(controllerField));
    for (const message of isQualifiedName(controller)) errors.push(invalidValue(controllerField, controller, message));
    const text = (field: 'reportingInstance' | 'action' | 'reason'): void => {
      const value = event[field] ?? '';
      if (value === '') errors.push(required(field));
      if (byteLength(value) > nameLimit)
        errors.push(invalidValue(field, '', `can have at most ${nameLimit} characters`));
    };
    text('reportingInstance');
    text('action');
    text('reason');
    if (byteLength(event.message ?? '') > noteLimit)
      errors.push(invalidValue('message', '', `can have at most ${noteLimit} characters`));
  }
  for (const message of isDNS1123Subdomain(namespace)) errors.push(invalidValue('namespace', namespace, message));
  return errors;
}
