import type { JournalBody, JournalEntry } from '@kubechain/apiserver/control';
import { differingPairs } from './differing-pairs.ts';

/** What a write did, without what differs from run to run. */
interface Write {
  /** `create configmaps default/a`; names that the server made are told by their prefix and number. */
  readonly what: string;
  /** Of the request; undefined where it was not recorded. */
  readonly body: unknown;
}

const writing: readonly string[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** Members of objects that the server makes anew each time. */
const made: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Differences that are told of one body. */
const mostPaths = 5;

/**
 * How the writes of two runs differ, a line each; none where they are the same. Compared are writes that the server
 * has taken, object by object in their order, and their bodies where both runs have them. Times, uids and
 * resourceVersions do not count, nor which names were made of `generateName`; neither does what happened to several
 * objects at once in which order.
 */
export function differencesOfWrites(recorded: readonly JournalEntry[], now: readonly JournalEntry[]): string[] {
  const before = byObject(writesOf(recorded));
  const after = byObject(writesOf(now));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((object) =>
    differencesOf(before.get(object) ?? [], after.get(object) ?? []),
  );
}

function differencesOf(recorded: readonly Write[], now: readonly Write[]): string[] {
  const lines: string[] = [];
  for (let i = 0; i < Math.max(recorded.length, now.length); i++) {
    const [was, is] = [recorded[i], now[i]];
    if (was === undefined) lines.push(`not recorded: ${is?.what ?? ''}`);
    else if (is === undefined) lines.push(`missing: ${was.what}`);
    else if (was.what !== is.what) lines.push(`${is.what} instead of ${was.what}`);
    else if (was.body !== undefined && is.body !== undefined) {
      const places = placesOf(was.body, is.body);
      if (places.length > 0) lines.push(`${is.what}: ${places.join(', ')}`);
    }
  }
  return lines;
}

/** Writes that were taken, with names in place of those that were made. */
function writesOf(entries: readonly JournalEntry[]): { readonly object: string; readonly write: Write }[] {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return entries
    .filter(({ code, verb }) => writing.includes(verb) && code >= 200 && code < 300)
    .map((entry) => {
      const given = nameOf(entry, names, counts);
      const object = [entry.group, entry.resource.split('/')[0], entry.namespace, given].join('/');
      const place = entry.namespace === '' ? given : `${entry.namespace}/${given}`;
      const group = entry.group === '' ? '' : `.${entry.group}`;
      const [resource = '', subresource] = entry.resource.split('/');
      const kind = `${resource}${group}${subresource === undefined ? '' : `/${subresource}`}`;
      return {
        object,
        write: { what: `${entry.verb} ${kind} ${place}`, body: stable(contentOf(entry.requestBody), names) },
      };
    });
}

function byObject(writes: ReturnType<typeof writesOf>): Map<string, Write[]> {
  const found = new Map<string, Write[]>();
  for (const { object, write } of writes) found.set(object, [...(found.get(object) ?? []), write]);
  return found;
}

/** Of the object: a create's is in its body, or the server has made it. */
function nameOf(entry: JournalEntry, names: Map<string, string>, counts: Map<string, number>): string {
  if (entry.verb !== 'create' || entry.name !== '') return names.get(entry.name) ?? entry.name;
  const asked = metadataOf(entry.requestBody);
  if (typeof asked['name'] === 'string' && asked['name'] !== '') return names.get(asked['name']) ?? asked['name'];
  const prefix = asked['generateName'];
  if (typeof prefix !== 'string') return '';
  const count = (counts.get(prefix) ?? 0) + 1;
  counts.set(prefix, count);
  const alias = `${prefix}#${count}`;
  const answered = metadataOf(entry.answerBody)['name'];
  if (typeof answered === 'string') names.set(answered, alias);
  return alias;
}

function metadataOf(body: JournalBody | undefined): Readonly<Record<string, unknown>> {
  const content = contentOf(body) as { readonly metadata?: Readonly<Record<string, unknown>> } | undefined;
  return content?.metadata ?? {};
}

/** JSON as a value, other text as it is. */
function contentOf(body: JournalBody | undefined): unknown {
  if (body?.text === undefined) return body?.base64;
  try {
    return JSON.parse(body.text) as unknown;
  } catch {
    return body.text;
  }
}

function stable(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return time.test(value) ? '<time>' : (names.get(value) ?? value.replace(uid, '<uid>'));
  if (Array.isArray(value)) return value.map((item) => stable(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !made.has(key))
      .map(([key, member]) => [key, stable(member, names)]),
  );
}

/** Where two bodies differ, and how; not more than a few places. */
function placesOf(was: unknown, is: unknown): string[] {
  const places: string[] = [];
  for (const pair of differingPairs({ was, is, path: '', member: '' }, (at) => at.was === at.is)) {
    const path = pair.path === '' ? 'body' : pair.path.startsWith('[') ? pair.path : `.${pair.path}`;
    places.push(`${path} is ${shown(pair.is)}, was ${shown(pair.was)}`);
    if (places.length === mostPaths) break;
  }
  return places;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
