import {
  FieldPath,
  invalidValue,
  notSupported,
  printed,
  required,
  validateLabelSelector,
} from '@kubechain/apimachinery';
import type { FieldError, LabelSelectorRules } from '@kubechain/apimachinery';
import type {
  DaemonSet,
  DaemonSetSpec,
  DaemonSetStatus,
  DaemonSetUpdateStrategy,
  RollingUpdateDaemonSet,
} from '@kubechain/apimachinery/types/apps/v1';
import type { Capabilities } from '../../capabilities.ts';
import { validatePodTemplate } from '../../core/pod/validation/pod-spec.ts';
import { keptSelectorRules } from '../../validation/kept-selectors.ts';
import { immutable } from '../../validation/immutable.ts';
import { intOrPercentValue, notMoreThan100Percent, positiveIntOrPercent } from '../../validation/int-or-percent.ts';
import { internalForm, publishedForm } from '../../validation/internal-form.ts';
import { all, fields, notNegative } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { keepsRunning, selectsTemplate } from '../../core/workload-template.ts';

const specPath = FieldPath.of('spec');
const strategies = ['RollingUpdate', 'OnDelete'];

/** One of the two, and not both: pods go before others come, or the other way round. */
const rollingUpdate: Rule<RollingUpdateDaemonSet> = (update, path) => {
  const { maxSurge = 0, maxUnavailable = 0 } = update;
  const errors = [
    ...positiveIntOrPercent(maxUnavailable, path.child('maxUnavailable')),
    ...positiveIntOrPercent(maxSurge, path.child('maxSurge')),
    ...notMoreThan100Percent(maxUnavailable, path.child('maxUnavailable')),
    ...notMoreThan100Percent(maxSurge, path.child('maxSurge')),
  ];
  const removes = intOrPercentValue(maxUnavailable) !== 0;
  const surges = intOrPercentValue(maxSurge) !== 0;
  if (removes && surges)
    errors.push(invalidValue(path.child('maxSurge'), maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (!removes && !surges) errors.push(required(path.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0'));
  return errors;
};

const updateStrategy: Rule<DaemonSetUpdateStrategy | undefined> = (strategy = {}, path) => {
  if (!strategies.includes(strategy.type ?? ''))
    return [notSupported(path, internalForm('apps.DaemonSetUpdateStrategy', strategy), strategies)];
  if (strategy.type === 'OnDelete') return [];
  return strategy.rollingUpdate === undefined
    ? [required(path.child('rollingUpdate'))]
    : rollingUpdate(strategy.rollingUpdate, path.child('rollingUpdate'));
};

const tail = fields<DaemonSetSpec>({ minReadySeconds: notNegative, updateStrategy, revisionHistoryLimit: notNegative });

/** Rules of daemon sets (ValidateDaemonSetSpec of pkg/apis/apps/validation, 1.36). */
export function validateDaemonSet(
  { spec }: DaemonSet,
  capabilities: Capabilities,
  selectorRules?: LabelSelectorRules,
): FieldError[] {
  const { selector, template = {} } = (spec ?? {}) as Partial<DaemonSetSpec>;
  const selectorPath = specPath.child('selector');
  const templatePath = specPath.child('template');
  const errors = validateLabelSelector(selector, selectorPath, selectorRules);
  if (selectsTemplate(selector, template) === false)
    errors.push(
      invalidValue(
        templatePath.child('metadata', 'labels'),
        publishedForm(printed(template.metadata, 'labels')),
        '`selector` does not match template `labels`',
      ),
    );
  if (
    selector !== undefined &&
    Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions?.length ?? 0) === 0
  )
    errors.push(invalidValue(selectorPath, selector, 'empty selector is invalid for daemonset'));
  return [
    ...errors,
    ...validatePodTemplate(template, templatePath, capabilities),
    ...keepsRunning(template, templatePath, 'DaemonSet'),
    ...tail(spec, specPath),
  ];
}

/** The selector never changes (ValidateDaemonSetUpdate). */
export function validateDaemonSetUpdate(set: DaemonSet, old: DaemonSet, capabilities: Capabilities): FieldError[] {
  return [
    ...immutable(specPath.child('selector'), set.spec?.selector, old.spec?.selector),
    ...validateDaemonSet(set, capabilities, keptSelectorRules([old.spec?.selector])),
  ];
}

const counts = fields<DaemonSetStatus>({
  currentNumberScheduled: notNegative,
  numberMisscheduled: notNegative,
  desiredNumberScheduled: notNegative,
  numberReady: notNegative,
  observedGeneration: notNegative,
  updatedNumberScheduled: notNegative,
  numberAvailable: notNegative,
  numberUnavailable: notNegative,
  collisionCount: notNegative,
});

/** Rules of the status endpoint (ValidateDaemonSetStatusUpdate). */
export function validateDaemonSetStatus({ status }: DaemonSet, old: DaemonSet): FieldError[] {
  const before = old.status?.collisionCount;
  const path = FieldPath.of('status');
  return all(counts, (now: DaemonSetStatus | undefined) =>
    before !== undefined && (now?.collisionCount === undefined || now.collisionCount < before)
      ? [invalidValue(path.child('collisionCount'), now?.collisionCount ?? 0, 'cannot be decremented')]
      : [],
  )(status, path);
}
