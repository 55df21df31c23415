import type { KubeObject } from '@kubechain/apimachinery';
import type { PatchType } from '../client/resource-client.ts';
import { parseCel } from './cel.ts';
import { Fields } from './fields.ts';
import { parseQuery } from './jq/query.ts';
import { isOfNodes, type Stage, type StageStep } from './stage.ts';
import { durationOf, integerOf, valueFrom } from './stage-values.ts';
import type { Body } from './template/template-nodes.ts';

/** Reads the text of a template. @throws StageError with the line */
export type ReadTemplate = (source: string) => Body;

const stepFields = ['patch', 'event', 'finalizers', 'delete', 'apply'];
const nextFields = ['event', 'finalizers', 'delete', 'patches', 'statusTemplate', 'statusSubresource', 'statusPatchAs'];
const patchFields = ['subresource', 'root', 'template', 'type', 'impersonation'];
const applyFields = ['subresource', 'template', 'type', 'impersonation'];
const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const satisfies Readonly<Record<string, PatchType>>;
type PatchName = keyof typeof patchTypes;

/**
 * Reads a Stage manifest. Undefined: it has no selector, and is never played (as kwok).
 * @throws StageError with the place of what is wrong or not supported
 */
export function readStage(manifest: unknown, place: string, readTemplate: ReadTemplate): Stage | undefined {
  const root = new Fields(manifest, `${place}: `, ['apiVersion', 'kind', 'metadata', 'spec', 'status']);
  const name =
    new Fields(
      (manifest as KubeObject).metadata ?? {},
      `${place}: metadata`,
      Object.keys((manifest as KubeObject).metadata ?? {}),
    ).text('name') ?? '';
  const spec = root.part('spec', [
    'resourceRef',
    'selector',
    'weight',
    'weightFrom',
    'delay',
    'next',
    'immediateNextStage',
    'steps',
  ]);
  if (spec === undefined) return root.refuse('must be given', 'spec');
  const reference = spec.part('resourceRef', ['apiGroup', 'kind']);
  if (reference === undefined) return spec.refuse('must be given', 'resourceRef');
  const apiVersion = reference.text('apiGroup') ?? 'v1';
  const kind = reference.text('kind') ?? '';
  if (kind === '') return reference.refuse('must be given', 'kind');
  if (apiVersion.split('/').some((part) => part === '') || apiVersion.split('/').length > 2)
    return reference.refuse('must be VERSION or GROUP/VERSION', 'apiGroup');
  const matches = selectorOf(spec);
  if (matches === undefined) return undefined;
  const weight = spec.number('weight') ?? 0;
  const weightFrom = valueFrom(spec, 'weightFrom');
  return {
    name,
    place,
    apiVersion,
    kind,
    matches,
    weightOf: (object) => (weightFrom === undefined ? weight : integerOf(weightFrom(object), weight)),
    delayOf: delayOf(spec),
    immediateNextStage: spec.flag('immediateNextStage'),
    steps: stepsOf(spec, readTemplate, isOfNodes({ apiVersion, kind }) ? 'strategic' : 'merge'),
  };
}

function isPatchName(name: string): name is PatchName {
  return Object.hasOwn(patchTypes, name);
}

function selectorOf(spec: Fields): Stage['matches'] | undefined {
  const selector = spec.part('selector', ['matchLabels', 'matchAnnotations', 'matchExpressions']);
  if (selector === undefined) return undefined;
  const labels = Array.from(selector.map('matchLabels'));
  const annotations = Array.from(selector.map('matchAnnotations'));
  const expressions = selector.parts('matchExpressions', ['key', 'operator', 'values', 'jq', 'cel']).map(expressionOf);
  return (object) =>
    labels.every(([key, value]) => object.metadata?.labels?.[key] === value) &&
    annotations.every(([key, value]) => object.metadata?.annotations?.[key] === value) &&
    expressions.every((matches) => matches(object));
}

function expressionOf(fields: Fields): (object: KubeObject) => boolean {
  const cel = fields.part('cel', ['expression'])?.read('expression', parseCel);
  if (cel !== undefined) return (object) => cel(object) === true;
  const requirement = fields.part('jq', ['key', 'operator', 'values']) ?? fields;
  const query = requirement.read('key', parseQuery);
  if (query === undefined) return requirement.refuse('must be given', 'key');
  const operator = requirement.text('operator');
  const values = new Set(requirement.texts('values'));
  const isOne = (object: KubeObject): boolean =>
    query(object).some(
      (value) =>
        (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') &&
        values.has(`${value}`),
    );
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.size === 0) requirement.refuse("for 'in', 'notin' operators, values set can't be empty", 'values');
      return operator === 'In' ? isOne : (object) => !isOne(object);
    case 'Exists':
    case 'DoesNotExist':
      if (values.size > 0) requirement.refuse('values set must be empty for exists and does not exist', 'values');
      return (object) => query(object).length > 0 === (operator === 'Exists');
    default:
      return requirement.refuse(`operator ${JSON.stringify(operator ?? '')} is not supported`, 'operator');
  }
}

function delayOf(spec: Fields): Stage['delayOf'] {
  const delay = spec.part('delay', [
    'durationMilliseconds',
    'durationFrom',
    'jitterDurationMilliseconds',
    'jitterDurationFrom',
  ]);
  if (delay === undefined) return () => 0;
  const fixedMs = delay.number('durationMilliseconds') ?? 0;
  const from = valueFrom(delay, 'durationFrom');
  const jitterMs = delay.number('jitterDurationMilliseconds');
  const jitterFrom = valueFrom(delay, 'jitterDurationFrom');
  return (object, nowMs, random) => {
    const leastMs = from === undefined ? fixedMs : durationOf(from(object), nowMs, fixedMs);
    // An annotation that is there and empty: no delay.
    if (leastMs === undefined) return 0;
    const mostMs = jitterFrom === undefined ? jitterMs : durationOf(jitterFrom(object), nowMs, jitterMs);
    if (mostMs === undefined) return Math.max(0, leastMs);
    return Math.max(0, mostMs <= leastMs ? mostMs : leastMs + random * (mostMs - leastMs));
  };
}

function stepsOf(spec: Fields, readTemplate: ReadTemplate, usualPatch: PatchName): readonly StageStep[] {
  const steps = spec.parts('steps', stepFields);
  const {
    apply: readApply,
    finalizers: readFinalizers,
    event: readEvent,
    patch: readPatch,
  } = readers(readTemplate, usualPatch);
  if (steps.length > 0)
    return steps.flatMap((step) => [
      ...readEvent(step),
      ...readFinalizers(step),
      ...(step.flag('delete') ? [{ kind: 'delete' } as const] : []),
      ...(step.has('patch') ? [readPatch(step.part('patch', patchFields)!)] : []),
      ...(step.has('apply') ? [readApply(step.part('apply', applyFields)!)] : []),
    ]);
  const next = spec.part('next', nextFields);
  if (next === undefined) return [];
  const patches = next.parts('patches', patchFields).map(readPatch);
  const template = next.read('statusTemplate', readTemplate);
  if (patches.length === 0 && template !== undefined)
    patches.push({
      kind: 'patch',
      place: `${next.place}.statusTemplate`,
      subresource: next.text('statusSubresource') ?? 'status',
      root: 'status',
      type: patchTypes[usualPatch],
      template,
      impersonate: impersonated(next, 'statusPatchAs'),
    });
  return [
    ...readEvent(next),
    ...readFinalizers(next),
    ...patches,
    ...(next.flag('delete') ? [{ kind: 'delete' } as const] : []),
  ];
}

function readers(
  readTemplate: ReadTemplate,
  usualPatch: PatchName,
): {
  readonly event: (fields: Fields) => readonly StageStep[];
  readonly finalizers: (fields: Fields) => readonly StageStep[];
  readonly patch: (fields: Fields) => StageStep;
  readonly apply: (fields: Fields) => StageStep;
} {
  const template = (fields: Fields): Body =>
    fields.read('template', readTemplate) ?? fields.refuse('must be given', 'template');
  const filled = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
  return {
    event: (fields) => {
      const event = fields.part('event', ['type', 'reason', 'message']);
      if (event === undefined) return [];
      const type = event.text('type') ?? 'Normal';
      if (type !== 'Normal' && type !== 'Warning') return event.refuse('must be Normal or Warning', 'type');
      return [{ kind: 'event', type, reason: event.text('reason') ?? '', message: event.text('message') ?? '' }];
    },
    finalizers: (fields) => {
      const finalizers = fields.part('finalizers', ['add', 'remove', 'empty']);
      if (finalizers === undefined) return [];
      const values = (name: string): string[] =>
        finalizers.parts(name, ['value']).map((item) => item.text('value') ?? '');
      return [{ kind: 'finalizers', add: values('add'), remove: values('remove'), empty: finalizers.flag('empty') }];
    },
    patch: (fields) => {
      const named = fields.text('type') ?? usualPatch;
      if (!isPatchName(named)) return fields.refuse('must be json, merge or strategic', 'type');
      return {
        kind: 'patch',
        place: `${fields.place}.template`,
        subresource: filled(fields.text('subresource')),
        root: filled(fields.text('root')),
        type: patchTypes[named],
        template: template(fields),
        impersonate: impersonated(fields, 'impersonation'),
      };
    },
    apply: (fields) => {
      const named = fields.text('type') ?? 'apply';
      if (named !== 'apply' && named !== 'merge' && named !== 'strategic')
        return fields.refuse('must be apply, merge or strategic', 'type');
      return {
        kind: 'apply',
        place: `${fields.place}.template`,
        subresource: filled(fields.text('subresource')),
        type: named === 'apply' ? named : patchTypes[named],
        template: template(fields),
        impersonate: impersonated(fields, 'impersonation'),
      };
    },
  };
}

/** Whom a part names to be written as. */
function impersonated(fields: Fields, name: string): string | undefined {
  const part = fields.part(name, ['username']);
  if (part === undefined) return undefined;
  const user = part.text('username') ?? '';
  return user === '' ? part.refuse('must be given', 'username') : user;
}
