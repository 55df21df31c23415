import { FieldError, invalidValue, isDNS1123Label } from '@kubechain/apimachinery';
import type { KubeObject, ReleaseAge } from '@kubechain/apimachinery';

/** A text that was another one until a release, in objects of all kinds. */
const texts = [
  { since: '1.35', text: /no more than (\d+) bytes$/, was: 'no more than $1 characters' },
  { since: '1.35', text: /^a valid label key must consist of/, was: 'a qualified name must consist of' },
] as const;

/** A mistake in objects of one kind that was another one until a release. */
interface FormerRule {
  readonly since: string;
  readonly kind: string;
  readonly field: string;
  readonly detail: string;
  readonly was: (error: FieldError) => FieldError;
}

const rules: readonly FormerRule[] = [
  {
    since: '1.36',
    kind: 'RuntimeClass',
    field: 'handler',
    detail: '',
    was: ({ field }) => invalidValue(field, '', isDNS1123Label('')[0] ?? ''),
  },
  {
    since: '1.36',
    kind: 'Job',
    field: 'status.startTime',
    detail: 'field is immutable for unsuspended job once set',
    was: (error) =>
      error.badValue === null
        ? new FieldError('FieldValueRequired', error.field, '', 'startTime cannot be removed for unsuspended job')
        : error,
  },
];

/** Mistakes as they were told in a release before 1.36. */
export function tellFormerly(release: ReleaseAge): (errors: readonly FieldError[], object: KubeObject) => FieldError[] {
  const formerTexts = texts.filter(({ since }) => !release.since(since));
  const formerRules = rules.filter(({ since }) => !release.since(since));
  return (errors, { kind }) =>
    errors.map((error) => {
      const rule = formerRules.find(
        ({ detail, field, kind: of }) => of === kind && field === error.field && detail === error.detail,
      );
      if (rule !== undefined) return rule.was(error);
      const detail = formerTexts.reduce((text, former) => text.replace(former.text, former.was), error.detail);
      return detail === error.detail ? error : new FieldError(error.type, error.field, error.badValue, detail);
    });
}
