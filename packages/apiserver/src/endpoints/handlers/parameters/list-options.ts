import {
  badRequest,
  everyField,
  everyLabel,
  fieldSelectorOf,
  forbiddenValue,
  invalid,
  isFormatError,
  notSupported,
  parseFieldSelector,
  parseLabelSelector,
} from '@kubechain/apimachinery';
import type { FieldError, FieldSelector, LabelSelector } from '@kubechain/apimachinery';
import { convertFieldLabelOf } from '../../../registry/rest/field-label.ts';
import { requiredValue } from '../../../registry/rest/selection-predicate.ts';
import type { RESTStorage } from '../../../registry/rest/storage.ts';
import { queryBoolean, queryInteger } from './query-values.ts';

/** meta/v1 ListOptions as a request has them, checked. */
export interface ListParameters {
  readonly label: LabelSelector;
  readonly field: FieldSelector;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  readonly timeoutSeconds: number | undefined;
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
  /** '' for objects of all shards. */
  readonly shardSelector: string;
}

const none: ListParameters = {
  label: everyLabel,
  field: everyField,
  watch: false,
  allowWatchBookmarks: false,
  resourceVersion: '',
  resourceVersionMatch: '',
  timeoutSeconds: undefined,
  limit: 0,
  continue: '',
  sendInitialEvents: undefined,
  shardSelector: '',
};

export interface ListParameterSource {
  readonly storage: RESTStorage;
  /** Of the objects that are asked for. */
  readonly version: string;
  /** The request is a watch whatever `watch=` says: the deprecated paths under /watch/. */
  readonly forceWatch: boolean;
  /** Name in the URL; '' when there is none. */
  readonly name: string;
}

/**
 * Reads ListOptions off a query. A name in the URL is the same as a field selector for it.
 * @throws StatusError BadRequest or Invalid, in the reference's words
 */
export function listParameters(query: URLSearchParams, source: ListParameterSource): ListParameters {
  if (query.size === 0 && source.name === '' && !source.forceWatch) return none;
  const parameters = decode(query, source.forceWatch);
  const errors = parameters.watch ? watchErrors(parameters) : listErrors(parameters);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  const field = translate(parameters.field, source);
  return {
    ...parameters,
    resourceVersionMatch: parameters.resourceVersionMatch as ListParameters['resourceVersionMatch'],
    field: source.name === '' ? field : onlyNamed(field, source.name),
  };
}

type Decoded = Omit<ListParameters, 'resourceVersionMatch'> & { readonly resourceVersionMatch: string };

function decode(query: URLSearchParams, forceWatch: boolean): Decoded {
  const watch = forceWatch || (queryBoolean(query, 'watch') ?? false);
  const resourceVersion = query.get('resourceVersion') ?? '';
  let resourceVersionMatch = query.get('resourceVersionMatch') ?? '';
  const timeoutSeconds = queryInteger(query, 'timeoutSeconds');
  const limit = queryInteger(query, 'limit') ?? 0;
  let sendInitialEvents = queryBoolean(query, 'sendInitialEvents');
  // A watch without a resourceVersion has always begun with what is there (SetListOptionsDefaults).
  if (
    watch &&
    sendInitialEvents === undefined &&
    resourceVersionMatch === '' &&
    (resourceVersion === '' || resourceVersion === '0')
  ) {
    sendInitialEvents = true;
    resourceVersionMatch = 'NotOlderThan';
  }
  return {
    label: parse(query, 'labelSelector', parseLabelSelector, everyLabel),
    field: parse(query, 'fieldSelector', parseFieldSelector, everyField),
    watch,
    allowWatchBookmarks: queryBoolean(query, 'allowWatchBookmarks') ?? false,
    resourceVersion,
    resourceVersionMatch,
    timeoutSeconds,
    limit,
    continue: query.get('continue') ?? '',
    sendInitialEvents,
    shardSelector: query.get('shardSelector') ?? '',
  };
}

function parse<T>(query: URLSearchParams, name: string, parser: (text: string) => T, empty: T): T {
  const text = query.get(name);
  if (text === null || text === '') return empty;
  try {
    return parser(text);
  } catch (error) {
    throw isFormatError(error) ? badRequest(error.message) : error;
  }
}

function translate(
  field: FieldSelector,
  { storage, version }: Pick<ListParameterSource, 'storage' | 'version'>,
): FieldSelector {
  if (field.empty) return field;
  return fieldSelectorOf(
    field.requirements.map(({ field: label, operator, value }) => {
      const [newLabel, newValue] = convertFieldLabelOf(storage, { label, value, version });
      return { field: newLabel, operator, value: newValue };
    }),
  );
}

function onlyNamed(field: FieldSelector, name: string): FieldSelector {
  if (field.empty) return fieldSelectorOf([{ field: 'metadata.name', operator: '=', value: name }]);
  if (requiredValue(field, 'metadata.name') !== name)
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  return field;
}

function listErrors(options: Decoded): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (match !== '') {
    if (options.resourceVersion === '')
      errors.push(
        forbiddenValue('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
      );
    if (options.continue !== '')
      errors.push(
        forbiddenValue('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'),
      );
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && options.resourceVersion === '0')
      errors.push(
        forbiddenValue('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
      );
  }
  if (options.sendInitialEvents !== undefined)
    errors.push(forbiddenValue('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

function watchErrors(options: Decoded): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (options.sendInitialEvents !== undefined && match !== 'NotOlderThan')
    errors.push(
      forbiddenValue('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    );
  if (match !== '') {
    if (options.sendInitialEvents === undefined)
      errors.push(
        forbiddenValue(
          'resourceVersionMatch',
          'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
        ),
      );
    if (match !== 'NotOlderThan') errors.push(notSupported('resourceVersionMatch', match, ['NotOlderThan']));
    if (options.continue !== '')
      errors.push(
        forbiddenValue('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'),
      );
  }
  return errors;
}
