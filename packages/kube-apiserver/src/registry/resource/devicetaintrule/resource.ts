import { formatTime } from '@kubechain/apimachinery';
import type { Clock } from '@kubechain/apimachinery';
import { ageSince, type Strategy } from '@kubechain/apiserver/resources';
import { storedResource } from '../../resource.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

import { ageOf, nameOf } from '../../table/printer.ts';
import { validated } from '../../validation/validate.ts';
import type { DeviceTaintRule } from './device-taint-rule.ts';
import { validateDeviceTaintRule, validateDeviceTaintRuleStatus, validateDeviceTaintRuleUpdate } from './validation.ts';

/** Taints carry the time at which they were put on. */
const defaultsAt =
  (clock: Clock) =>
  ({ spec }: DeviceTaintRule): void => {
    if (spec?.taint !== undefined) spec.taint.timeAdded ??= formatTime(clock.now());
  };

/** Who changes the effect, and not the time, changes the time as well: it is the effect's. */
function stampNewEffect(clock: Clock): NonNullable<Strategy['prepareForUpdate']> {
  return (object, old) => {
    const taint = (object as DeviceTaintRule).spec?.taint;
    const before = (old as DeviceTaintRule).spec?.taint;
    if (taint !== undefined && taint.effect !== before?.effect && taint.timeAdded === before?.timeAdded)
      taint.timeAdded = formatTime(clock.now());
  };
}

/** Serves devicetaintrules with status. */
export const deviceTaintRuleResource = storedResource({
  group: 'resource.k8s.io',
  plural: 'devicetaintrules',
  store: ({ release }) => ({ returnDeletedObject: !release.since('1.37') }),
  strategy: ({ clock }) =>
    specStrategy({
      ...validated({ create: validateDeviceTaintRule, update: validateDeviceTaintRuleUpdate }),
      generation: 'spec',
      status: true,
      prepareForUpdate: stampNewEffect(clock),
    }),
  status: ({ release }) =>
    statusStrategy({
      resetMetadata: true,
      hooks: validated<DeviceTaintRule>({ update: (rule) => validateDeviceTaintRuleStatus(rule, release) }),
    }),
  defaults: ({ clock }) => ({ v1alpha3: defaultsAt(clock), v1beta2: defaultsAt(clock), v1: defaultsAt(clock) }),
  row: (rule: DeviceTaintRule) => [
    nameOf(rule),
    rule.spec?.taint?.key ?? '',
    rule.spec?.taint?.value ?? '',
    rule.spec?.taint?.effect ?? '',
    rule.spec?.taint?.timeAdded === undefined ? '' : ageSince(rule.spec.taint.timeAdded),
    ageOf(rule),
  ],
});
