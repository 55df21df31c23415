import { setTimeout as delay } from 'node:timers/promises';
import { configMap, configMaps, definition, definitions, mergePatch, namespaced, patch, post } from './api-requests.ts';
import { attack } from './attack-frames.ts';
import { many, poured, read, together } from './pour.ts';
import type { HostileRow } from './row.ts';
import type { HostileRequest, Outcome, Target } from './target.ts';

/** How long the controllers are watched at it. */
const settleMs = 8_000;

interface Owner {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name: string;
  readonly uid: string;
}

interface Named {
  readonly metadata: { readonly name: string; readonly uid: string };
}

const nameOf = (i: number): string => `o${String(i).padStart(6, '0')}`;
/** Of nobody. */
const uidOf = (i: number): string => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
const referencesTo = (owners: readonly Owner[]): readonly object[] =>
  owners.map((owner) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...owner, blockOwnerDeletion: true }));
const created = (i: number, owners: readonly Owner[] = []): HostileRequest =>
  post(configMaps, configMap({ metadata: { name: nameOf(i), ownerReferences: referencesTo(owners) } }));

/** One that is there, as others name it. */
async function ownerAt(target: Target, path: string, more: Partial<Owner> = {}): Promise<Owner> {
  const found = await read<Named>(target, path);
  return { ...more, name: found?.metadata.name ?? '', uid: found?.metadata.uid ?? '' };
}

/** Config maps of which each is owned by others, made first: who has nobody's uid for an owner is collected at once. */
async function owned(target: Target, count: number, ownersOf: (i: number) => readonly number[]): Promise<Outcome[]> {
  const made = await poured(target, count, created);
  const list = await read<{ readonly items: readonly Named[] }>(target, configMaps);
  const uids = new Map((list?.items ?? []).map(({ metadata: { name, uid } }) => [name, uid]));
  const given = await poured(target, count, (i) => {
    const owners = ownersOf(i).map((owner) => ({ name: nameOf(owner), uid: uids.get(nameOf(owner)) ?? '' }));
    const metadata = { ownerReferences: referencesTo(owners) };
    return patch(mergePatch, JSON.stringify({ metadata }), `${configMaps}/${nameOf(i)}`);
  });
  return [made, given];
}

/** The first is made, and all others with it as their owner. */
async function fan(target: Target, count: number): Promise<Outcome[]> {
  const first = await target.http2([created(0)]);
  const owner = await ownerAt(target, `${configMaps}/${nameOf(0)}`);
  return [first, await poured(target, count, (i) => created(i + 1, [owner]))];
}

/** What owns the others is deleted, in each of the ways. */
function deleted(
  title: string,
  make: (target: Target) => Promise<Outcome[]>,
  policies: readonly string[] = ['Background', 'Foreground', 'Orphan'],
): readonly HostileRow[] {
  return policies.map((propagationPolicy) =>
    attack(`owners: ${title}, ${propagationPolicy}`, async (target) => {
      const outcomes = await make(target);
      const body = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy });
      outcomes.push(await target.http2([{ method: 'DELETE', path: `${configMaps}/${nameOf(0)}`, body }]));
      await delay(settleMs);
      return together(outcomes);
    }),
  );
}

/** Objects that are made with owners of which there are none. */
function unowned(title: string, count: number, ownersOf: (i: number) => readonly Owner[]): HostileRow {
  return attack(`owners: ${title}`, async (target) => {
    const outcome = await poured(target, count, (i) => created(i, ownersOf(i)));
    await delay(settleMs);
    return outcome;
  });
}

/** Custom resources, which no strategic patch takes, of one owner that is there and thousands that are not. */
function mixed(title: string, count: number, owners: number): HostileRow {
  const path = namespaced('owneds', 'hostile.example/v1');
  return attack(`owners: ${title}`, async (target) => {
    const outcomes = [await target.http2([post(definitions, definition('owned', { type: 'object' }))])];
    await delay(1_000);
    const owner = await ownerAt(target, `${configMaps}/kept`);
    const absent = many(owners, (i) => ({ name: nameOf(i), uid: uidOf(i) }));
    const body = JSON.stringify({
      apiVersion: 'hostile.example/v1',
      kind: 'Owned',
      metadata: { generateName: 'h-', ownerReferences: referencesTo([owner, ...absent]) },
    });
    outcomes.push(await target.http2(many(count, () => post(path, body))));
    await delay(settleMs);
    return together(outcomes);
  });
}

/** Who owns whom, by the ten thousand. */
export const ownerRows = (count: number): readonly HostileRow[] => {
  const some = Math.ceil(count / 4);
  return [
    ...deleted(`${count} of one`, (target) => fan(target, count)),
    ...deleted(`a chain of ${some}`, (target) => owned(target, some, (i) => (i === 0 ? [] : [i - 1]))),
    ...deleted(`a circle of ${some}`, (target) => owned(target, some, (i) => [(i + 1) % some]), ['Foreground']),
    ...deleted('1,000, each of all the 100 before', (target) =>
      owned(target, 1_000, (i) => many(Math.min(i, 100), (j) => i - 1 - j)),
    ),
    unowned(`${some} of kinds that are not there`, some, (i) => [
      { apiVersion: 'nowhere.example/v1', kind: `K${i}`, name: 'n', uid: uidOf(i) },
    ]),
    unowned(`${some} of one that each calls otherwise`, some, (i) => [{ name: nameOf(i), uid: uidOf(0) }]),
    unowned('20 of 5,000 each', 20, (i) => many(5_000, (j) => ({ name: nameOf(j), uid: uidOf(i * 5_000 + j) }))),
    mixed('10 custom resources of one, and of 8,000 that are gone', 10, 8_000),
  ];
};
