import { isPlainObject } from '@kubechain/apimachinery';
import type { ObjectMap, Value, Values } from '../values.ts';
import { type Changes, KINDS, type StoryKind } from './kinds.ts';
import { at, merged, mergePatch, pointerOf, put } from './paths.ts';
import type { Story, StoryAnswer, StoryRequest } from './story.ts';

const MOST_OBJECTS = 4;
const JSON_TYPE = 'application/json';
const APPLY_TYPE = 'application/apply-patch+yaml';
const META = 'g=meta.k8s.io;v=v1';
const METADATA: Changes = {
  'metadata.labels.l': ['a', 'b', 'c', undefined],
  'metadata.annotations.x': ['y', 'z', '', undefined],
  'metadata.finalizers': [['a.b/c'], ['a.b/c', 'd.e/f'], ['a.b/c', 'a.b/c'], [], undefined],
  'metadata.labels': [undefined, { l: 'a', m: 'b' }, { 'l!': 'a' }],
  'metadata.generation': [5, undefined],
  'metadata.managedFields': [[], [{}], undefined],
  'metadata.ownerReferences': [
    [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o0', uid: '<uid:1>' }],
    [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o0', uid: '<uid:2>', blockOwnerDeletion: true, controller: true }],
    [
      { apiVersion: 'v1', kind: 'Pod', name: 'o0', uid: '<uid:1>', controller: true },
      { apiVersion: 'v1', kind: 'Pod', name: 'o1', uid: '<uid:2>', controller: true },
    ],
    undefined,
  ],
  'metadata.creationTimestamp': [null, '2020-01-01T00:00:00Z'],
  'metadata.deletionTimestamp': ['2020-01-01T00:00:00Z', undefined],
  'metadata.deletionGracePeriodSeconds': [3, undefined],
  'metadata.uid': ['<uid:1>', 'x', undefined],
  'metadata.generateName': ['g-', undefined],
  'metadata.namespace': ['x', undefined],
  'metadata.selfLink': ['/x'],
};
/** Whoever sends a request: a token, and whom it speaks for. */
const IDENTITIES: readonly Pick<StoryRequest, 'headers' | 'token'>[] = [
  { token: 'alicetoken' },
  { token: 'alicetoken' },
  { token: 'bobtoken' },
  { token: '' },
  { token: 'wrong' },
  { headers: { 'impersonate-user': 'system:serviceaccount:NS:default' } },
  { headers: { 'impersonate-user': 'alice', 'impersonate-group': 'devs' } },
  { headers: { 'impersonate-user': 'system:node:n', 'impersonate-group': 'system:nodes' } },
  { headers: { 'impersonate-user': 'x', 'impersonate-uid': 'u', 'impersonate-extra-a': 'b' } },
  { headers: { 'impersonate-user': 'system:kube-scheduler' } },
  { headers: { 'impersonate-user': 'system:kube-controller-manager' } },
  { token: 'alicetoken', headers: { 'impersonate-user': 'system:serviceaccount:NS:default' } },
];

/** What a story is about. */
interface Slot {
  readonly kind: StoryKind;
  readonly name: string;
}

/** Sends requests of chance about some objects of some kinds, of which it remembers what servers said last. */
export class Steps {
  readonly #story: Story;
  readonly #values: Values;
  readonly #kinds: readonly StoryKind[];
  readonly #texts: Readonly<Record<string, string>>;
  readonly #known = new Map<string, ObjectMap>();
  readonly #older = new Map<string, ObjectMap>();
  readonly #continues: StoryRequest[] = [];
  #share = 0;

  constructor(
    story: Story,
    { kinds, texts }: { kinds: readonly StoryKind[]; texts: Readonly<Record<string, string>> },
  ) {
    this.#story = story;
    this.#values = story.values;
    this.#kinds = kinds;
    this.#texts = { ...texts, NS: story.namespace };
    this.#share = this.#values.chance(0.3) ? 0.35 : 0;
  }

  /** One request. */
  async step(): Promise<void> {
    const values = this.#values;
    const kind = values.pick(this.#kinds);
    const slot = { kind, name: this.#nameOf(kind, values.below(MOST_OBJECTS)) };
    const known = this.#known.get(keyOf(slot));
    const way = values.share();
    if (known === undefined ? way < 0.6 : way < 0.06) return this.#create(slot);
    if (known === undefined && way < 0.7) return this.#apply(slot);
    if (known !== undefined) {
      if (way < 0.2) return this.#replace(slot, known);
      if (way < 0.38) return this.#patch(slot, known);
      if (way < 0.48) return this.#apply(slot);
      if (way < 0.6 && kind.status !== undefined) return this.#status(slot, known);
      if (way < 0.67 && kind.parts !== undefined) return this.#part(slot);
      if (way < 0.72 && kind.posts !== undefined) return this.#post(slot);
      if (way < 0.78) return this.#delete(slot, known);
    }
    if (way < 0.8) return this.#deleteCollection(kind);
    if (way < 0.84) return this.#get(slot);
    if (way < 0.96) return this.#list(kind);
    return this.#watch(kind);
  }

  #nameOf(kind: StoryKind, index: number): string {
    return kind.cluster === true ? `${this.#story.namespace}-o${index}` : `o${index}`;
  }

  /** Texts that stand for something of the story. */
  #filled<T>(value: T): T {
    const text = JSON.stringify(value).replace(/\b(?:NS|IDX|CSR|CERT)\b/g, (name) => this.#texts[name] ?? name);
    return JSON.parse(text) as T;
  }

  #rootOf(kind: StoryKind, version = kind.apiVersion): string {
    const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
    return `${root}${kind.cluster === true ? '' : `/namespaces/${this.#story.namespace}`}/${kind.plural}`;
  }

  #versionOf(kind: StoryKind): string {
    return kind.versions !== undefined && this.#values.chance(0.3) ? this.#values.pick(kind.versions) : kind.apiVersion;
  }

  #pathOf({ kind, name }: Slot, version?: string): string {
    return `${this.#rootOf(kind, version)}/${name}`;
  }

  #who(): Pick<StoryRequest, 'headers' | 'token'> {
    return this.#values.chance(this.#share) ? this.#filled(this.#values.pick(IDENTITIES)) : {};
  }

  async #send(slot: Slot | undefined, request: StoryRequest): Promise<StoryAnswer> {
    const answer = await this.#story.send({ ...this.#who(), ...request });
    if (slot !== undefined) this.#remember(slot, request, answer);
    return answer;
  }

  #remember(slot: Slot, { path }: StoryRequest, { body, status }: StoryAnswer): void {
    const key = keyOf(slot);
    const known = this.#known.get(key);
    if (status === 404) this.#known.delete(key);
    if (status >= 300 || !isPlainObject(body) || path.includes('dryRun')) return;
    if (body['kind'] !== slot.kind.kind || body['apiVersion'] !== slot.kind.apiVersion) return;
    if (known !== undefined) this.#older.set(key, known);
    this.#known.set(key, body as ObjectMap);
  }

  #queryOf(...more: readonly string[]): string {
    const values = this.#values;
    const query = [...more];
    if (values.chance(0.08)) query.push('dryRun=All');
    if (values.chance(0.2)) query.push(`fieldManager=${values.pick(['a', 'b', 'kubectl-client-side-apply'])}`);
    if (values.chance(0.2)) query.push(`fieldValidation=${values.pick(['Strict', 'Warn', 'Ignore'])}`);
    return query.length === 0 ? '' : `?${query.join('&')}`;
  }

  #change(object: ObjectMap, changes: Changes, most = 3): ObjectMap {
    const changed = structuredClone(object);
    for (const [path, value] of this.#some(changes, most)) put(changed, path, value);
    return changed;
  }

  /** Some changes of a kind, and of metadata now and then. */
  #some(changes: Changes, most = 3): readonly (readonly [string, Value | undefined])[] {
    const values = this.#values;
    const made: [string, Value | undefined][] = [];
    for (let left = 1 + values.below(most); left > 0; left--) {
      const from = values.chance(0.25) ? METADATA : changes;
      const path = values.pick(Object.keys(from));
      const value = values.pick(from[path] ?? []);
      made.push([path, value === undefined ? undefined : this.#filled(value)]);
    }
    return made;
  }

  #made({ kind, name }: Slot, version = kind.apiVersion): ObjectMap {
    const values = this.#values;
    const { metadata = {}, ...base } = this.#filled(values.pick(kind.bases));
    const labels: ObjectMap = { story: this.#story.namespace, l: values.pick(['a', 'b', 'c']) };
    if (kind.kind === 'Pod') labels['app'] = values.pick(['a', 'b']);
    const object: ObjectMap = {
      apiVersion: version,
      kind: kind.kind,
      metadata: {
        name,
        labels,
        ...(values.chance(0.15) ? { finalizers: ['a.b/c'] } : {}),
        ...(values.chance(0.05) ? { generateName: 'g-' } : {}),
        ...(metadata as ObjectMap),
      },
      ...base,
    };
    return values.chance(0.35) ? this.#change(object, { ...kind.changes, ...kind.status }, 2) : object;
  }

  async #create(slot: Slot): Promise<void> {
    const { kind } = slot;
    const version = kind.versions === undefined ? kind.apiVersion : this.#versionOf(kind);
    const object = this.#made(slot, version);
    if (this.#values.chance(0.04)) put(object, 'metadata.name', undefined);
    await this.#send(slot, { method: 'POST', path: this.#rootOf(kind, version) + this.#queryOf(), body: object });
  }

  #withRevision(object: ObjectMap, slot: Slot): ObjectMap {
    const way = this.#values.share();
    if (way < 0.5) return object;
    const changed = structuredClone(object);
    if (way < 0.85) put(changed, 'metadata.resourceVersion', undefined);
    else put(changed, 'metadata.resourceVersion', at(this.#older.get(keyOf(slot)), 'metadata.resourceVersion'));
    if (way > 0.95) put(changed, 'metadata.uid', undefined);
    return changed;
  }

  async #replace(slot: Slot, known: ObjectMap): Promise<void> {
    const body = this.#withRevision(this.#change(known, slot.kind.changes), slot);
    await this.#send(slot, { method: 'PUT', path: this.#pathOf(slot) + this.#queryOf(), body });
  }

  async #patch(slot: Slot, known: ObjectMap, { part = '', changes = slot.kind.changes } = {}): Promise<void> {
    const values = this.#values;
    const some = [...this.#some(changes)];
    if (values.chance(0.15))
      some.push([
        'metadata.resourceVersion',
        at(values.chance(0.5) ? known : this.#older.get(keyOf(slot)), 'metadata.resourceVersion'),
      ]);
    const path = this.#pathOf(slot, this.#versionOf(slot.kind)) + part + this.#queryOf();
    const type = values.pick(['json-patch', 'merge-patch', 'strategic-merge-patch'] as const);
    const body =
      type === 'json-patch'
        ? some.map(([where, value]) => this.#operation(known, where, value))
        : some
            .map(([where, value]) => mergePatch(known, where, value, type === 'strategic-merge-patch'))
            .reduce(merged, {});
    await this.#send(slot, { method: 'PATCH', path, body, contentType: `application/${type}+json` });
  }

  #operation(known: ObjectMap, where: string, value: Value | undefined): ObjectMap {
    const path = pointerOf(where);
    const before = at(known, where);
    const values = this.#values;
    if (values.chance(0.1)) return { op: 'test', path, value: values.chance(0.8) ? (before ?? null) : (value ?? null) };
    // A revision within a text would be compared as it is.
    if (values.chance(0.05) && !where.endsWith('resourceVersion'))
      return { op: values.pick(['copy', 'move']), from: path, path: '/metadata/annotations' };
    if (value === undefined) return { op: 'remove', path };
    return { op: before === undefined || values.chance(0.3) ? 'add' : 'replace', path, value };
  }

  async #apply(slot: Slot, { part = '', changes = slot.kind.changes } = {}): Promise<void> {
    const values = this.#values;
    const { kind, name } = slot;
    const version = this.#versionOf(kind);
    let object: ObjectMap;
    if (part === '' && values.chance(0.5)) object = this.#made(slot, version);
    else {
      object = { apiVersion: version, kind: kind.kind, metadata: { name } };
      const known = this.#known.get(keyOf(slot)) ?? {};
      for (const [path, value] of this.#some(changes)) object = merged(object, mergePatch(known, path, value, true));
    }
    if (values.chance(0.03))
      put(object, 'metadata.resourceVersion', at(this.#known.get(keyOf(slot)), 'metadata.resourceVersion'));
    const query = [`fieldManager=${values.pick(['a', 'b', 'c'])}`];
    if (values.chance(0.35)) query.push('force=true');
    if (values.chance(0.08)) query.push('dryRun=All');
    await this.#send(slot, {
      method: 'PATCH',
      path: `${this.#pathOf(slot, version)}${part}?${query.join('&')}`,
      body: object,
      contentType: APPLY_TYPE,
    });
  }

  async #status(slot: Slot, known: ObjectMap): Promise<void> {
    const changes = slot.kind.status ?? {};
    const way = this.#values.share();
    const part = '/status';
    if (way < 0.4) {
      const body = this.#withRevision(this.#change(known, changes), slot);
      await this.#send(slot, { method: 'PUT', path: this.#pathOf(slot) + part + this.#queryOf(), body });
    } else if (way < 0.75) await this.#patch(slot, known, { part, changes });
    else if (way < 0.95) await this.#apply(slot, { part, changes });
    else await this.#send(undefined, { method: 'GET', path: this.#pathOf(slot) + part });
  }

  async #part(slot: Slot): Promise<void> {
    const values = this.#values;
    const name = values.pick(Object.keys(slot.kind.parts ?? {}));
    const changes = slot.kind.parts?.[name] ?? {};
    const part = `/${name}`;
    const { body } = await this.#send(undefined, { method: 'GET', path: this.#pathOf(slot) + part });
    const known = isPlainObject(body) && body['kind'] !== 'Status' ? (body as ObjectMap) : this.#known.get(keyOf(slot));
    if (known === undefined) return;
    const way = values.share();
    if (way < 0.5) {
      const changed = this.#change(known, changes);
      if (values.chance(0.3)) put(changed, 'metadata.resourceVersion', undefined);
      await this.#send(slot, { method: 'PUT', path: this.#pathOf(slot) + part + this.#queryOf(), body: changed });
    } else if (way < 0.85) await this.#patch(slot, known, { part, changes });
    else {
      let object: ObjectMap = {
        apiVersion: known['apiVersion'] ?? '',
        kind: known['kind'] ?? '',
        metadata: { name: slot.name },
      };
      for (const [path, value] of this.#some(changes, 2)) object = merged(object, mergePatch(known, path, value, true));
      const query = `?fieldManager=${values.pick(['a', 'b'])}${values.chance(0.5) ? '&force=true' : ''}`;
      const path = this.#pathOf(slot) + part + query;
      await this.#send(slot, { method: 'PATCH', path, body: object, contentType: APPLY_TYPE });
    }
  }

  async #post(slot: Slot): Promise<void> {
    const name = this.#values.pick(Object.keys(slot.kind.posts ?? {}));
    const body = this.#filled(this.#values.pick(slot.kind.posts?.[name] ?? []));
    if (name !== 'token' && at(body, 'metadata.name') === undefined) put(body, 'metadata.name', slot.name);
    await this.#send(slot, { method: 'POST', path: `${this.#pathOf(slot)}/${name}${this.#queryOf()}`, body });
  }

  #deleteOptions(known: ObjectMap | undefined): ObjectMap | undefined {
    const values = this.#values;
    if (values.chance(0.35)) return undefined;
    const options: ObjectMap = { kind: 'DeleteOptions', apiVersion: values.pick(['v1', 'meta.k8s.io/v1']) };
    if (values.chance(0.4)) options['propagationPolicy'] = values.pick(['Orphan', 'Background', 'Foreground']);
    if (values.chance(0.4)) options['gracePeriodSeconds'] = values.pick([0, 1, 5, 100, -1]);
    if (values.chance(0.1)) options['orphanDependents'] = values.chance(0.5);
    if (values.chance(0.1)) options['dryRun'] = ['All'];
    if (values.chance(0.25)) {
      const right: Value = at(known, 'metadata.uid') ?? '<uid:1>';
      options['preconditions'] = values.chance(0.5)
        ? { uid: values.chance(0.7) ? right : '<uid:1>' }
        : { resourceVersion: values.chance(0.6) ? (at(known, 'metadata.resourceVersion') ?? '1') : '1' };
    }
    return options;
  }

  async #delete(slot: Slot, known: ObjectMap): Promise<void> {
    const body = this.#deleteOptions(known);
    const query = this.#values.pick([
      '',
      '',
      '',
      '?gracePeriodSeconds=0',
      '?propagationPolicy=Foreground',
      '?dryRun=All',
    ]);
    await this.#send(slot, {
      method: 'DELETE',
      path: this.#pathOf(slot, this.#versionOf(slot.kind)) + query,
      ...(body === undefined ? {} : { body }),
    });
    await this.#get(slot);
  }

  async #deleteCollection(kind: StoryKind): Promise<void> {
    const values = this.#values;
    const query = [`labelSelector=story=${this.#story.namespace}${values.pick(['', ',l=a', ',l!=a', ',l in (b,c)'])}`];
    if (values.chance(0.2) && kind.fields !== undefined)
      query.push(`fieldSelector=${encodeURIComponent(values.pick(kind.fields))}`);
    if (values.chance(0.2)) query.push('limit=1');
    const body = this.#deleteOptions(undefined);
    await this.#send(undefined, {
      method: 'DELETE',
      path: `${this.#rootOf(kind, this.#versionOf(kind))}?${query.join('&').replaceAll(' ', '%20')}`,
      ...(body === undefined ? {} : { body }),
    });
    for (let i = 0; i < MOST_OBJECTS; i++) await this.#look({ kind, name: this.#nameOf(kind, i) });
  }

  /** What there is now. */
  async #look(slot: Slot): Promise<void> {
    if (!this.#known.has(keyOf(slot))) return;
    const request = { method: 'GET', path: this.#pathOf(slot) };
    this.#remember(slot, request, await this.#story.send(request));
  }

  #accept(): Pick<StoryRequest, 'accept'> {
    const way = this.#values.share();
    if (way < 0.65) return {};
    if (way < 0.8) return { accept: `${JSON_TYPE};as=Table;${META},${JSON_TYPE}` };
    if (way < 0.9)
      return { accept: `${JSON_TYPE};as=PartialObjectMetadata${this.#values.pick(['', 'List'])};${META},${JSON_TYPE}` };
    return { accept: this.#values.pick(['application/yaml', `${JSON_TYPE};as=PartialObjectMetadata;${META}`, '*/*']) };
  }

  async #get(slot: Slot): Promise<void> {
    const version = this.#versionOf(slot.kind);
    const query = this.#values.pick(['', '', '', '?resourceVersion=0', '?pretty=true']);
    const request = { method: 'GET', path: this.#pathOf(slot, version) + query, ...this.#accept() };
    await this.#send(request.accept === undefined ? slot : undefined, request);
  }

  #selectors(kind: StoryKind): string[] {
    const values = this.#values;
    const story = `story=${this.#story.namespace}`;
    const labels = values.pick(['', '', ',l=a', ',l!=a', ',l in (a,b)', ',!l', ',l notin (c)']);
    const query = kind.cluster === true || labels !== '' ? [`labelSelector=${encodeURIComponent(story + labels)}`] : [];
    if (values.chance(0.25)) {
      const field =
        kind.fields === undefined || values.chance(0.4)
          ? `metadata.name=${this.#nameOf(kind, 0)}`
          : values.pick(kind.fields);
      query.push(`fieldSelector=${encodeURIComponent(field)}`);
    }
    return query;
  }

  #revision(): string {
    return this.#values.pick(['<rv:1>', '<rv:2>', '<rv:4>', '<rv:7>', '<rv:11>', '<rv:16>']);
  }

  async #list(kind: StoryKind): Promise<void> {
    const values = this.#values;
    const more = values.chance(0.5) ? this.#continues.pop() : undefined;
    if (more !== undefined) {
      await this.#listed(more);
      return;
    }
    const query = this.#selectors(kind);
    if (values.chance(0.35)) query.push(`limit=${values.pick([1, 1, 2, 3, 500])}`);
    if (values.chance(0.4)) {
      const revision = values.chance(0.3) ? '0' : this.#revision();
      query.push(`resourceVersion=${revision}`);
      if (values.chance(0.5)) query.push(`resourceVersionMatch=${values.pick(['Exact', 'NotOlderThan'])}`);
    }
    const root = this.#rootOf(kind, this.#versionOf(kind));
    const path = `${root}?${query.join('&')}`;
    await this.#listed({ method: 'GET', path, ...this.#accept() });
  }

  async #listed(request: StoryRequest): Promise<void> {
    const { body } = await this.#send(undefined, request);
    const next = isPlainObject(body) ? at(body as ObjectMap, 'metadata.continue') : undefined;
    if (typeof next !== 'string' || next === '') return;
    const path = request.path.replace(/&?(?:resourceVersion|resourceVersionMatch|continue)=[^&]*/g, '');
    this.#continues.push({ ...request, path: `${path}&continue=${next.split(' ')[0]}` });
  }

  async #watch(kind: StoryKind): Promise<void> {
    const values = this.#values;
    const query = ['watch=true', ...this.#selectors(kind)];
    const way = values.share();
    const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    if (way < 0.35) query.push(`resourceVersion=${this.#revision()}`);
    else if (way < 0.5) query.push(`${initial}&allowWatchBookmarks=true`);
    else if (way < 0.58) query.push(`${initial}&allowWatchBookmarks=true&resourceVersion=${this.#revision()}`);
    else if (way < 0.63) query.push(`${initial}${values.pick(['', '&allowWatchBookmarks=false', '&limit=1'])}`);
    else if (way < 0.68)
      query.push(`sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=${this.#revision()}`);
    else if (way < 0.76) query.push(values.pick(['resourceVersion=0', 'resourceVersion=1', 'sendInitialEvents=false']));
    else if (way < 0.8)
      query.push(`resourceVersionMatch=${values.pick(['Exact', 'NotOlderThan'])}&resourceVersion=${this.#revision()}`);
    if (values.chance(0.15)) query.push(`timeoutSeconds=${values.pick([1, 2, 30])}`);
    const accept = this.#accept();
    await this.#story.watch({
      ...this.#who(),
      method: 'GET',
      path: `${this.#rootOf(kind, this.#versionOf(kind))}?${query.join('&')}`,
      ...(accept.accept?.includes('yaml') === true ? {} : accept),
    });
  }
}

function keyOf({ kind, name }: Slot): string {
  return `${kind.apiVersion} ${kind.plural} ${name}`;
}

/** Kinds that have to do with each other more than with others. */
const THEMES: readonly (readonly string[])[] = [
  ['Pod', 'PodDisruptionBudget', 'ReplicaSet', 'Node'],
  ['Pod', 'ResourceQuota', 'LimitRange', 'PersistentVolumeClaim', 'Service'],
  ['Pod', 'ServiceAccount', 'Secret'],
  ['Service', 'Endpoints', 'EndpointSlice', 'ServiceCIDR', 'IPAddress'],
  ['Deployment', 'HorizontalPodAutoscaler', 'ReplicaSet'],
  ['Role', 'RoleBinding', 'ConfigMap', 'ServiceAccount'],
  ['ClusterRole', 'ClusterRoleBinding'],
  ['PersistentVolume', 'PersistentVolumeClaim', 'StorageClass', 'VolumeAttributesClass'],
  ['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice', 'DeviceClass'],
  ['Pod', 'PriorityClass', 'RuntimeClass'],
  ['Event'],
];

/** Kinds for one story: those of a theme, or one. */
export function kindsOfStory(values: Values, only: RegExp): readonly StoryKind[] {
  const found = KINDS.filter(({ apiVersion, kind }) => only.test(`${apiVersion}/${kind}`));
  const theme = values.chance(0.5) ? values.pick(THEMES) : undefined;
  const themed = theme === undefined ? [] : found.filter(({ kind }) => theme.includes(kind));
  return themed.length > 0 ? themed : [values.pick(found)];
}
