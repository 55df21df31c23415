import { FieldPath, goQuote, invalidValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { isStricter, levels, levelVersionText, parseLevel, parseVersion, sameLevelVersion } from './level-version.ts';
import type { Level, LevelVersion } from './level-version.ts';

/** What the labels of these modes begin with, and what audit annotations do. */
export const labelPrefix = 'pod-security.kubernetes.io/';

/** What a namespace refuses, writes to the audit log, and warns of. */
export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

/** A policy that can be applied whatever the labels say, and what is wrong with them. */
export interface ParsedPolicy {
  readonly policy: Policy;
  readonly errors: readonly FieldError[];
}

type Mode = keyof Policy;

const anything: LevelVersion = { level: 'privileged', version: 'latest' };
/** Of namespaces without labels, unless a configuration says otherwise. */
export const privilegedPolicy: Policy = { enforce: anything, audit: anything, warn: anything };
/** What an unreadable level stands for: enforcing fails closed, the others fail open. */
const fallbacks: Readonly<Record<Mode, Level>> = { enforce: 'restricted', audit: 'privileged', warn: 'privileged' };
const labelsPath = FieldPath.of('metadata', 'labels');

/**
 * The policy of a namespace's labels; modes are those of `defaults` where the labels say nothing.
 * Without a label of its own, `warn` is as strict as a valid `enforce` (pod-security-admission/api/helpers.go, 1.36).
 */
export function policyOf(
  labels: Readonly<Record<string, string>> | undefined,
  defaults: Policy = privilegedPolicy,
): ParsedPolicy {
  if (labels === undefined) return { policy: defaults, errors: [] };
  const errors: FieldError[] = [];
  const read = (mode: Mode): LevelVersion => modeOf({ labels, mode, missing: defaults[mode] }, errors);
  const enforce = read('enforce');
  const audit = read('audit');
  const warn = read('warn');
  const enforceLabel = labels[`${labelPrefix}enforce`];
  const follows =
    labels[`${labelPrefix}warn`] === undefined &&
    enforceLabel !== undefined &&
    parseLevel(enforceLabel) !== undefined &&
    isStricter(enforce.level, warn.level);
  if (!follows) return { policy: { enforce, audit, warn }, errors };
  const version = labels[`${labelPrefix}warn-version`] === undefined ? enforce.version : warn.version;
  return { policy: { enforce, audit, warn: { level: enforce.level, version } }, errors };
}

interface LabelledMode {
  readonly labels: Readonly<Record<string, string>>;
  readonly mode: Mode;
  readonly missing: LevelVersion;
}

function modeOf({ labels, missing, mode }: LabelledMode, errors: FieldError[]): LevelVersion {
  const read = <T extends string>(
    label: string,
    parse: (text: string) => T | undefined,
    values: { readonly missing: T; readonly wrong: T; readonly detail: string },
  ): T => {
    const text = labels[label];
    if (text === undefined) return values.missing;
    const parsed = parse(text);
    if (parsed === undefined) errors.push(invalidValue(labelsPath.key(label), text, values.detail));
    return parsed ?? values.wrong;
  };
  return {
    level: read<Level>(`${labelPrefix}${mode}`, parseLevel, {
      missing: missing.level,
      wrong: fallbacks[mode],
      detail: `must be one of ${levels.join(', ')}`,
    }),
    version: read<string>(`${labelPrefix}${mode}-version`, parseVersion, {
      missing: missing.version,
      wrong: anything.version,
      detail: 'must be "latest" or "v1.x"',
    }),
  };
}

interface IgnoredPolicy {
  readonly policy: Policy;
  readonly defaults: Policy;
  readonly labels: Readonly<Record<string, string>> | undefined;
}

/** What an exempt namespace is told of its labels; undefined where they ask for nothing (exemptNamespaceWarning). */
export function ignoredPolicyWarning(
  namespace: string,
  { defaults, labels = {}, policy }: IgnoredPolicy,
): string | undefined {
  const modes = ['enforce', 'audit', 'warn'] as const;
  if (modes.every((mode) => policy[mode].level === 'privileged')) return undefined;
  const isDefault = (mode: Mode): boolean =>
    sameLevelVersion(policy[mode], defaults[mode]) ||
    (policy[mode].level === 'privileged' && defaults[mode].level === 'privileged');
  if (modes.every(isDefault)) return undefined;
  const told = modes
    .filter((mode) => {
      const label = labelPrefix + mode;
      return policy[mode].level !== 'privileged' && (label in labels || `${label}-version` in labels);
    })
    .map((mode) => `${mode}=${levelVersionText(policy[mode])}`);
  return (
    `namespace ${goQuote(namespace)} is exempt from Pod Security, and the policy (${told.join(', ')}) will be ` +
    'ignored'
  );
}
