import { FieldError, invalidValue, isDNS1123Label, isDNS1123Subdomain, required } from '@kubechain/apimachinery';
import type { KubeObject, ReleaseAge } from '@kubechain/apimachinery';

/** A text that was another one until a release, in objects of all kinds. */
const texts = [
  { since: '1.35', text: /no more than (\d+) bytes$/, was: 'no more than $1 characters' },
  { since: '1.35', text: /^a valid label key must consist of/, was: 'a qualified name must consist of' },
  { since: '1.35', text: /, `secretKeyRef` or `fileKeyRef`$/, was: ' or `secretKeyRef`' },
] as const;

/** A mistake that was another one until a release, several, or none. */
interface FormerRule {
  readonly since: string;
  /** Absent: of all kinds. */
  readonly kind?: string;
  readonly field?: RegExp;
  readonly detail: RegExp;
  readonly was: (error: FieldError) => readonly FieldError[];
}

const twice = (error: FieldError): readonly FieldError[] => [error, error];
const none = (): readonly FieldError[] => [];
const moved = (error: FieldError, field: string): readonly FieldError[] => [
  new FieldError(error.type, field, error.badValue, error.detail),
];
/** What is missing was held to the format of names as well. */
const alsoNoName = (error: FieldError): readonly FieldError[] =>
  error.type === 'FieldValueRequired'
    ? [error, invalidValue(error.field, '', isDNS1123Subdomain('')[0] ?? '')]
    : [error];

/** What attributes of devices could not be before they could be lists. */
const listValues = ['IntValues', 'BoolValues', 'StringValues', 'VersionValues'];

const rules: readonly FormerRule[] = [
  {
    since: '1.36',
    kind: 'RuntimeClass',
    field: /^handler$/,
    detail: /^$/,
    was: ({ field }) => [invalidValue(field, '', isDNS1123Label('')[0] ?? '')],
  },
  {
    since: '1.36',
    kind: 'Job',
    field: /^status\.startTime$/,
    detail: /^field is immutable for unsuspended job once set$/,
    was: (error) =>
      error.badValue === null
        ? [new FieldError('FieldValueRequired', error.field, '', 'startTime cannot be removed for unsuspended job')]
        : [error],
  },
  {
    since: '1.36',
    kind: 'ResourceSlice',
    field: /\.attributes$/,
    detail: /C identifier/,
    was: (error) => moved(error, `${error.field}[${String(error.badValue)}]`),
  },
  {
    since: '1.35',
    kind: 'ResourceSlice',
    field: /\.attributes\[/,
    detail: /^exactly one value must be specified$/,
    was: (error) => (error.badValue === '' ? [required(error.field, error.detail)] : withoutLists(error)),
  },
  {
    since: '1.36',
    kind: 'ResourceSlice',
    field: /\.attributes\[/,
    detail: /^exactly one value must be specified$/,
    was: withoutLists,
  },
  {
    since: '1.35',
    kind: 'ResourceSlice',
    field: /^spec\.devices\[\d+\]$/,
    detail: /^$/,
    was: (error) => (error.type === 'FieldValueDuplicate' ? moved(error, `${error.field}.name`) : [error]),
  },
  { since: '1.35', kind: 'ResourceSlice', field: /^spec\.driver$/, detail: /^$/, was: alsoNoName },
  { since: '1.35', kind: 'DeviceClass', field: /\.opaque\.driver$/, detail: /^$/, was: alsoNoName },
  { since: '1.35', kind: 'Pod', field: /\.csi\.driver$/, detail: /^$/, was: alsoNoName },
  {
    since: '1.35',
    kind: 'Pod',
    field: /^status\.nominatedNodeName$/,
    detail: /^may not be set on pods that are already bound/,
    was: none,
  },
  {
    since: '1.35',
    kind: 'RuntimeClass',
    field: /^scheduling\.tolerations\[\d+\]\./,
    detail: /^/,
    was: (error) => moved(error, error.field.replace('tolerations[', 'tolerations.tolerations[')),
  },
  {
    since: '1.35',
    kind: 'VolumeAttachment',
    field: /^spec\.attacher$/,
    detail: /^$/,
    was: (error) => [error, ...alsoNoName(error)],
  },
  { since: '1.36', kind: 'VolumeAttachment', field: /^spec\.attacher$/, detail: /^$/, was: twice },
  {
    since: '1.35',
    kind: 'VolumeAttachment',
    field: /^status\.(?:attach|detach)Error\.message$/,
    detail: /^/,
    was: twice,
  },
];

/** Mistakes as they were told in a release before 1.36; of several rules the first counts. */
export function tellFormerly(release: ReleaseAge): (errors: readonly FieldError[], object: KubeObject) => FieldError[] {
  const formerTexts = texts.filter(({ since }) => !release.since(since));
  const formerRules = rules.filter(({ since }) => !release.since(since));
  return (errors, { kind = '' }) =>
    errors.flatMap((error) => {
      const rule = formerRules.find(
        ({ detail, field, kind: of }) =>
          (of === undefined || of === kind) &&
          (field === undefined || field.test(error.field)) &&
          detail.test(error.detail),
      );
      if (rule !== undefined) return rule.was(error);
      const detail = formerTexts.reduce((text, former) => text.replace(former.text, former.was), error.detail);
      return detail === error.detail ? error : new FieldError(error.type, error.field, error.badValue, detail);
    });
}

function withoutLists(error: FieldError): readonly FieldError[] {
  if (typeof error.badValue !== 'object' || error.badValue === null) return [error];
  const value = Object.fromEntries(Object.entries(error.badValue).filter(([name]) => !listValues.includes(name)));
  return [invalidValue(error.field, value, error.detail)];
}
