import {
  append,
  FieldPath,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  notSupported,
  printed,
  required,
  validateAnnotations,
  validateLabels,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  StatefulSet,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from '@kubechain/apimachinery/types/apps/v1';
import type { PodTemplateSpec, Volume } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../capabilities.ts';
import { validatePodAnnotations } from '../../core/pod/validation/annotations.ts';
import { validatePodTemplate } from '../../core/pod/validation/pod-spec.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { capabilitiesTowards } from '../../core/pod/validation/kept-mistakes.ts';
import { validateClaimSpec } from '../../core/persistentvolumeclaim/claim-spec.ts';
import { intOrPercentValue, notMoreThan100Percent, positiveIntOrPercent } from '../../validation/int-or-percent.ts';
import { internalForm, publishedForm } from '../../validation/internal-form.ts';
import { fields, filled, format, notNegative, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { keepsRunning, selectsTemplate, validateWorkloadSelector } from '../../core/workload-template.ts';

const specPath = FieldPath.of('spec');
const managementPolicies = ['OrderedReady', 'Parallel'];

const updateStrategy: Rule<StatefulSetUpdateStrategy | undefined> = (strategy = {}, path) => {
  const { rollingUpdate, type = '' } = strategy as {
    rollingUpdate?: { partition?: number; maxUnavailable?: number | string };
    type?: string;
  };
  const at = path.child('rollingUpdate');
  if (type === '') return [required(path)];
  if (type === 'OnDelete')
    return rollingUpdate === undefined
      ? []
      : [
          invalidValue(
            at,
            internalForm('apps.RollingUpdateStatefulSetStrategy', rollingUpdate),
            "only allowed for updateStrategy 'RollingUpdate'",
          ),
        ];
  if (type !== 'RollingUpdate')
    return [
      invalidValue(
        path,
        internalForm('apps.StatefulSetUpdateStrategy', strategy),
        "must be 'RollingUpdate' or 'OnDelete'",
      ),
    ];
  if (rollingUpdate === undefined) return [];
  const errors = notNegative(rollingUpdate.partition, at.child('partition'));
  const { maxUnavailable } = rollingUpdate;
  if (maxUnavailable === undefined) return errors;
  append(errors, positiveIntOrPercent(maxUnavailable, at.child('maxUnavailable')));
  if (intOrPercentValue(maxUnavailable) === 0)
    errors.push(invalidValue(at.child('maxUnavailable'), maxUnavailable, 'cannot be 0'));
  return [...errors, ...notMoreThan100Percent(maxUnavailable, at.child('maxUnavailable'))];
};

const retention: Rule<string | undefined> = (policy = '', path) =>
  policy === 'Retain' || policy === 'Delete' ? [] : [notSupported(path, policy, ['Retain', 'Delete'])];

const head = fields<StatefulSetSpec>({
  podManagementPolicy: (policy, path) =>
    !policy
      ? [required(path)]
      : managementPolicies.includes(policy)
        ? []
        : [invalidValue(path, policy, "must be 'OrderedReady' or 'Parallel'")],
  updateStrategy,
  persistentVolumeClaimRetentionPolicy: present(
    fields<StatefulSetPersistentVolumeClaimRetentionPolicy>({ whenDeleted: retention, whenScaled: retention }),
  ),
});

const numbers = fields<StatefulSetSpec>({ replicas: notNegative, minReadySeconds: notNegative });

/**
 * Rules of stateful sets (ValidateStatefulSetSpec of pkg/apis/apps/validation, 1.36; templates of claims cannot change,
 * so they are looked at only here).
 */
export function validateStatefulSet(set: StatefulSet, capabilities: Capabilities): FieldError[] {
  const claimsPath = specPath.child('volumeClaimTemplates');
  return validateSpec(set.spec, capabilities, {
    onCreate: {
      claims: (set.spec?.volumeClaimTemplates ?? []).flatMap(({ spec = {} }, i) =>
        validateClaimSpec(spec, claimsPath.index(i).child('spec')),
      ),
      serviceName: filled(format(isDNS1123Label))(set.spec?.serviceName, specPath.child('serviceName')),
    },
  });
}

interface SpecRules {
  /** What is wrong with what is only checked in new sets. */
  readonly onCreate?: Readonly<Record<'claims' | 'serviceName', readonly FieldError[]>>;
  /** The template is not looked into. */
  readonly anyTemplate?: boolean;
}

function validateSpec(
  spec: StatefulSetSpec | undefined,
  capabilities: Capabilities,
  { anyTemplate = false, onCreate }: SpecRules = {},
): FieldError[] {
  const { ordinals, selector, template = {} } = (spec ?? {}) as Partial<StatefulSetSpec>;
  const templatePath = specPath.child('template');
  const matches = selectsTemplate(selector, template);
  const errors = [
    ...head(spec, specPath),
    ...(onCreate?.claims ?? []),
    ...numbers(spec, specPath),
    ...notNegative(ordinals?.start, specPath.child('ordinals.start')),
    ...(onCreate?.serviceName ?? []),
    ...validateWorkloadSelector(selector, specPath.child('selector'), 'statefulset'),
  ];
  if (matches === undefined) errors.push(invalidValue(specPath.child('selector'), publishedForm(selector), ''));
  else
    append(errors, [
      ...(matches
        ? []
        : [
            invalidValue(
              templatePath.child('metadata', 'labels'),
              publishedForm(printed(template.metadata, 'labels')),
              '`selector` does not match template `labels`',
            ),
          ]),
      ...validateTemplate({ spec, template, capabilities, anyTemplate }, templatePath),
    ]);
  return [...errors, ...keepsRunning(template, templatePath, 'StatefulSet')];
}

/** The template with what the controller puts into it: claims as volumes, and names of its own. */
function validateTemplate(
  {
    anyTemplate,
    capabilities,
    spec,
    template,
  }: {
    readonly spec: StatefulSetSpec | undefined;
    readonly template: PodTemplateSpec;
    readonly capabilities: Capabilities;
    readonly anyTemplate: boolean;
  },
  path: FieldPath,
): FieldError[] {
  const taken = new Set((spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? ''));
  const claims = Array.from(taken, (name): Volume => ({ name, persistentVolumeClaim: { claimName: name } }));
  const { hostname: _hostname, subdomain: _subdomain, ...rest } = template.spec ?? { containers: [] };
  const volumes = [...claims, ...(rest.volumes ?? []).filter(({ name }) => !taken.has(name))];
  return [
    ...(anyTemplate
      ? []
      : validatePodTemplate(
          { ...template, spec: { ...rest, ...(volumes.length === 0 ? {} : { volumes }) } },
          path,
          capabilities,
        )),
    ...validateLabels(template.metadata?.labels ?? {}, path.child('labels')),
    ...validateAnnotations(template.metadata?.annotations ?? {}, path.child('annotations')),
    ...validatePodAnnotations(
      { metadata: template.metadata ?? {}, ...(template.spec === undefined ? {} : { spec: template.spec }) },
      capabilities,
      path.child('annotations'),
    ),
  ];
}

const changeable = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
] as const;

/**
 * What may change is listed; all else stays (ValidateStatefulSetUpdate). The template of a set whose stored spec is
 * malformed by now is not looked into.
 */
export function validateStatefulSetUpdate(
  set: StatefulSet,
  old: StatefulSet,
  capabilities: Capabilities,
): FieldError[] {
  let errors = validateSpec(set.spec, capabilities);
  if (
    errors.length > 0 &&
    validateSpec(old.spec, capabilitiesTowards(old.spec?.template ?? {}, capabilities)).length > 0
  )
    errors = validateSpec(set.spec, capabilities, { anyTemplate: true });
  const kept = Object.fromEntries(changeable.map((field) => [field, old.spec?.[field]]));
  if (!semanticEqual({ ...set.spec, ...kept }, old.spec))
    errors.push(
      forbiddenValue(
        specPath,
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', " +
          "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and " +
          "'minReadySeconds' are forbidden",
      ),
    );
  return errors;
}

const counts = fields<StatefulSetStatus>({
  replicas: notNegative,
  readyReplicas: notNegative,
  currentReplicas: notNegative,
  updatedReplicas: notNegative,
  availableReplicas: notNegative,
  observedGeneration: notNegative,
  collisionCount: notNegative,
});

/** Rules of the status endpoint (ValidateStatefulSetStatusUpdate). */
export function validateStatefulSetStatus({ status }: StatefulSet, old: StatefulSet): FieldError[] {
  const path = FieldPath.of('status');
  const now = (status ?? {}) as Partial<StatefulSetStatus>;
  const errors = counts(status, path);
  for (const field of ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const)
    if ((now[field] ?? 0) > (now.replicas ?? 0))
      errors.push(invalidValue(path.child(field), now[field] ?? 0, 'cannot be greater than status.replicas'));
  if ((now.availableReplicas ?? 0) > (now.readyReplicas ?? 0))
    errors.push(
      invalidValue(
        path.child('availableReplicas'),
        now.availableReplicas ?? 0,
        'cannot be greater than status.readyReplicas',
      ),
    );
  const before = old.status?.collisionCount;
  if (before !== undefined && (now.collisionCount ?? -1) < before)
    errors.push(invalidValue(path.child('collisionCount'), now.collisionCount ?? 0, 'cannot be decremented'));
  return errors;
}
