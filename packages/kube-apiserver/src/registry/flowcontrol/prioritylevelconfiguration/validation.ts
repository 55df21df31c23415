import {
  builtinRelease,
  FieldPath,
  forbiddenValue,
  invalidValue,
  notSupported,
  required,
} from '@kubechain/apimachinery';
import type { FieldError, ReleaseAge } from '@kubechain/apimachinery';
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '@kubechain/apimachinery/types/flowcontrol/v1';
import { defaultPriorityLevels, mandatoryNames } from '@kubechain/apiserver/resources';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { fields, inRange } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { validateConditionTypes } from '../conditions.ts';
import { hashBits, maxHashBits } from './hash-bits.ts';

const specPath = FieldPath.of('spec');
const exempt = 'exempt';
const zeroSharesAnnotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
const maxQueues = 10_000_000;

/** Levels that no cluster does without; what they say is fixed. */
const mandatory: ReadonlyMap<string, object> = new Map(
  defaultPriorityLevels.filter(([name]) => mandatoryNames.has(name)),
);

const shares: Rule<number | undefined> = (value = 0, path) =>
  value < 0 ? [invalidValue(path, value, 'must be a non-negative integer')] : [];
const percent = inRange(0, 100, 'must be between 0 and 100, inclusive');

/**
 * Rules of priority levels, on every write (ValidatePriorityLevelConfiguration of pkg/apis/flowcontrol/validation,
 * 1.36).
 */
export function validatePriorityLevelConfiguration(
  { metadata, spec = {} as PriorityLevelConfigurationSpec, status }: PriorityLevelConfiguration,
  release: ReleaseAge = builtinRelease,
): FieldError[] {
  const name = metadata?.name ?? '';
  return [
    ...(metadata?.annotations?.[zeroSharesAnnotation] === undefined
      ? []
      : [forbiddenValue('metadata.annotations', `annotation '${zeroSharesAnnotation}' is forbidden`)]),
    ...validateSpec(spec, name, release),
    ...validateMandatory(spec, name),
    ...validateConditionTypes(status?.conditions),
  ];
}

/** Rules of the status endpoint. */
export function validatePriorityLevelConfigurationStatus({ status }: PriorityLevelConfiguration): FieldError[] {
  return validateConditionTypes(status?.conditions);
}

function validateSpec(spec: PriorityLevelConfigurationSpec, name: string, release: ReleaseAge): FieldError[] {
  const type: string = spec.type || '';
  const path = specPath.child('type');
  const errors =
    (name === exempt) === (type === 'Exempt')
      ? []
      : [invalidValue(path, type, "must be 'Exempt' if and only if `name` is 'exempt'")];
  const limited = specPath.child('limited');
  switch (type) {
    case 'Exempt':
      return [
        ...errors,
        ...(spec.limited === undefined ? [] : [forbiddenValue(limited, 'must be nil if the type is not Limited')]),
        ...exemptRules(spec.exempt, specPath.child('exempt')),
      ];
    case 'Limited':
      return [
        ...errors,
        ...(spec.exempt === undefined
          ? []
          : [forbiddenValue(specPath.child('exempt'), 'must be nil if the type is Limited')]),
        ...(spec.limited === undefined
          ? [required(limited, 'must not be empty when type is Limited')]
          : limitedRules(spec.limited, limited)),
      ];
    default:
      if (!release.since('1.37')) return [...errors, notSupported(path, type, ['Exempt', 'Limited'])];
      return [
        ...errors,
        type === '' ? required(path) : notSupported(path, type, ['Exempt', 'Limited']),
        // What belongs to a type is of no other one.
        ...(spec.exempt === undefined
          ? []
          : [forbiddenValue(specPath.child('exempt'), 'must be nil if the type is Limited')]),
        ...(spec.limited === undefined ? [] : [forbiddenValue(limited, 'must be nil if the type is not Limited')]),
      ];
  }
}

/** Of the level that is exempt its share may change, of the other nothing. */
function validateMandatory(spec: PriorityLevelConfigurationSpec, name: string): FieldError[] {
  const fixed = mandatory.get(name);
  if (fixed === undefined) return [];
  const wrong = (what: string): FieldError[] => [
    invalidValue(
      specPath,
      internalForm('flowcontrol.PriorityLevelConfigurationSpec', spec),
      `spec of '${name}'${what} must equal the fixed value`,
    ),
  ];
  if (name !== exempt) return semanticEqual(spec, fixed) ? [] : wrong('');
  return semanticEqual({ ...spec, exempt: undefined }, { ...fixed, exempt: undefined })
    ? []
    : wrong(" except the 'spec.exempt' field");
}

const exemptRules = fields<ExemptPriorityLevelConfiguration>({
  nominalConcurrencyShares: shares,
  lendablePercent: percent,
});

const limitResponse: Rule<LimitResponse | undefined> = (response, path) => {
  const type: string = response?.type ?? '';
  const queuing = path.child('queuing');
  switch (type) {
    case 'Reject':
      return response?.queuing === undefined
        ? []
        : [forbiddenValue(queuing, 'must be nil if limited.limitResponse.type is not Limited')];
    case 'Queue':
      return response?.queuing === undefined
        ? [required(queuing, 'must not be empty if limited.limitResponse.type is Limited')]
        : validateQueuing(response.queuing, queuing);
    default:
      return [notSupported(path.child('type'), type, ['Queue', 'Reject'])];
  }
};

const limitedRules = fields<LimitedPriorityLevelConfiguration>({
  nominalConcurrencyShares: shares,
  limitResponse,
  lendablePercent: percent,
  borrowingLimitPercent: (value = 0, path) =>
    value < 0 ? [invalidValue(path, value, 'if specified, must be a non-negative integer')] : [],
});

function validateQueuing(
  { handSize = 0, queueLengthLimit = 0, queues = 0 }: QueuingConfiguration,
  path: FieldPath,
): FieldError[] {
  const hand = (message: string): FieldError[] => [invalidValue(path.child('handSize'), handSize, message)];
  const deck = (message: string): FieldError[] => [invalidValue(path.child('queues'), queues, message)];
  return [
    ...(queueLengthLimit > 0
      ? []
      : [invalidValue(path.child('queueLengthLimit'), queueLengthLimit, 'must be positive')]),
    ...(queues <= 0
      ? deck('must be positive')
      : queues > maxQueues
        ? deck(`must not be greater than ${maxQueues}`)
        : []),
    ...(handSize <= 0
      ? hand('must be positive')
      : handSize > queues
        ? hand(`should not be greater than queues (${queues})`)
        : hashBits(queues, handSize) > maxHashBits
          ? hand(
              `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater ` +
                `than ${maxHashBits}`,
            )
          : []),
  ];
}
