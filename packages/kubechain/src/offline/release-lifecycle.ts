import table from './generated/api-lifecycle.json' with { type: 'json' };
import { LaunchError } from '../launch-error.ts';
import type { Finding, ValidatedObject } from './finding.ts';
import type { SourceObject, Sources } from './source-object.ts';

/** [introduced, deprecated, removed, replacement] by minor versions of Kubernetes 1; 0 and '' are for nothing. */
type Row = readonly [introduced: number, deprecated: number, removed: number, replacement: string];

const lifecycles = table as unknown as Readonly<Record<string, Readonly<Partial<Record<string, Row>>>>>;
const groups = new Set(Object.keys(lifecycles).map(groupOf));

/** The release that the table is of: what it says of later ones is planned. */
export const knownRelease = 36;

/** What another release does with objects. */
export interface ReleaseComparison {
  readonly objects: readonly ValidatedObject[];
  /** Objects that the table says something of. */
  readonly covered: number;
}

/** The minor version of `1.38`, `v1.38` or `1.38.2`. @throws LaunchError for anything else */
export function parseRelease(text: string, flag = 'to'): number {
  const minor = /^v?1\.(\d{1,3})(?:\.\d+)?$/.exec(text)?.[1];
  if (minor === undefined) throw new LaunchError('Usage', `--${flag}: ${JSON.stringify(text)} is no release like 1.38`);
  return Number(minor);
}

/** kube-apiserver's flags for a release: those before its own are emulated. @throws LaunchError for what is no release */
export function releaseFlags(text: string): readonly string[] {
  const minor = parseRelease(text, 'kubernetes-version');
  return [`--${minor < knownRelease ? 'emulated' : 'kubernetes'}-version=1.${minor}`];
}

/** What release 1.`minor` removes, does not have yet or warns about. */
export function compareRelease({ errors, objects }: Sources, minor: number): ReleaseComparison {
  let covered = 0;
  const compared = objects.map((source): ValidatedObject => {
    const { apiVersion, kind, label } = identityOf(source);
    const row = lifecycles[apiVersion]?.[kind];
    if (row !== undefined) covered++;
    const found = row === undefined ? unknown(apiVersion, kind) : judged(`${apiVersion} ${kind}`, row, minor);
    const place = source.place('apiVersion');
    return {
      object: label,
      place,
      findings: found === undefined ? [] : [{ ...found, place, object: label }],
    };
  });
  const unread = errors.map(({ message, place }): ValidatedObject => {
    return { object: '', place, findings: [{ level: 'error', rule: 'yaml', message, place, object: '' }] };
  });
  return { objects: [...compared, ...unread], covered };
}

/** What the comparison rests on, in a sentence. */
export function coverage({ covered, objects }: ReleaseComparison, minor: number): string {
  const planned = minor > knownRelease ? `; what it says of releases after 1.${knownRelease} is planned` : '';
  return (
    `compared: versions of Kubernetes' own APIs with what 1.${knownRelease} says of them, for ${covered} of ` +
    `${objects.length} objects${planned}. Not compared: fields, defaults, validation, feature gates, custom resources`
  );
}

type Found = Pick<Finding, 'level' | 'rule' | 'message'>;

function judged(what: string, [introduced, deprecated, removed, replacement]: Row, minor: number): Found | undefined {
  const instead = replacement === '' ? '' : `; use ${replacement}`;
  if (removed !== 0 && minor >= removed)
    return { level: 'error', rule: 'removed', message: `${what} is unavailable in v1.${removed}+${instead}` };
  if (minor < introduced)
    return { level: 'error', rule: 'introduced', message: `${what} is available in v1.${introduced}+ only` };
  if (deprecated === 0 || minor < deprecated) return undefined;
  const end = removed === 0 ? '' : `, unavailable in v1.${removed}+`;
  return {
    level: 'warning',
    rule: 'deprecated',
    message: `${what} is deprecated in v1.${deprecated}+${end}${instead}`,
  };
}

/** A kind of a group of Kubernetes' own may have gone before there was a record of it. */
function unknown(apiVersion: string, kind: string): Found | undefined {
  if (!groups.has(groupOf(apiVersion))) return undefined;
  return {
    level: 'warning',
    rule: 'unknown',
    message: `Kubernetes 1.${knownRelease} has no record of ${apiVersion} ${kind}: it may have gone before`,
  };
}

function identityOf({ value }: SourceObject): { readonly apiVersion: string; readonly kind: string; label: string } {
  const { apiVersion, kind, metadata } = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly apiVersion?: unknown;
    readonly kind?: unknown;
    readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown } | null;
  };
  const text = (member: unknown): string => (typeof member === 'string' ? member : '');
  const name = [text(metadata?.namespace), text(metadata?.name)].filter((part) => part !== '').join('/');
  const label = [text(apiVersion), text(kind), name].filter((part) => part !== '').join(' ');
  return { apiVersion: text(apiVersion), kind: text(kind), label };
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
