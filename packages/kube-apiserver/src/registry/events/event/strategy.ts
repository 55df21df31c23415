import { nameIsPathSegment } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Event } from '@kubechain/apimachinery/types/core/v1';
import type { FieldReader, RESTContext, Strategy } from '@kubechain/apiserver/resources';
import { textField } from '../../field-readers.ts';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateEvent, validateNewEvent, validateNewEventChange } from './validation.ts';

const validateUpdated = (event: Event, _old: Event, context: RESTContext): FieldError[] =>
  validateEvent(event, context);

/** Events: may be created by PUT; nothing owns them, so nothing is collected with them. */
const common: Strategy = {
  allowCreateOnUpdate: true,
  garbageCollectionPolicy: 'Unsupported',
};

/** Events of the core group, which may have any name that a path can have. */
export const eventStrategy = specStrategy({
  ...common,
  ...validated({ create: validateEvent, update: validateUpdated }),
  validateName: nameIsPathSegment,
  rulesLeaveMetadata: true,
  updateChecksMetadata: [],
});

/** Events of events.k8s.io, which is stricter, and whose names are those of other objects. */
export const newEventStrategy = specStrategy({
  ...common,
  ...validated({ create: validateNewEvent, update: validateUpdated, change: validateNewEventChange }),
  validateFirst: (event, context) => validateEvent(event as Event, context),
  updateChecksMetadata: ['rules', 'update'],
});

const readComponent = textField('source.component');
const readReporter = textField('reportingComponent');

/** What field selectors on events may name (pkg/registry/core/event/strategy.go, 1.36); read off core/v1 events. */
export const eventFields: Readonly<Record<string, FieldReader>> = {
  ...Object.fromEntries(
    ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((field) => [
      `involvedObject.${field}`,
      textField(`involvedObject.${field}`),
    ]),
  ),
  reason: textField('reason'),
  reportingComponent: readReporter,
  source: (event) => {
    const component = readComponent(event);
    return component === '' ? readReporter(event) : component;
  },
  type: textField('type'),
};

const newNames: readonly (readonly [name: string, coreName: string])[] = [
  ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
    (field) => [`regarding.${field}`, `involvedObject.${field}`] as const,
  ),
  ['reason', 'reason'],
  ['reportingController', 'reportingComponent'],
  ['type', 'type'],
];

/** The same under the names of events.k8s.io, which has no `source` (pkg/apis/events/v1/conversion.go, 1.36). */
export const newEventFields: Readonly<Record<string, FieldReader>> = Object.fromEntries(
  newNames.map(([name, coreName]) => [name, textField(coreName)]),
);
