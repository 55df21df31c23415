import { FieldPath, tooMany, validateConditions } from '@kubechain/apimachinery';
import type { FieldError, ReleaseAge } from '@kubechain/apimachinery';
import { present } from '../../validation/rules.ts';
import { driverName, label, poolName } from '../validation/names.ts';
import { taint } from '../validation/taints.ts';
import type { DeviceTaintRule } from './device-taint-rule.ts';

const specPath = FieldPath.of('spec');
const taintPath = specPath.child('taint');
const effectPath = String(taintPath.child('effect'));
const conditionsPath = FieldPath.of('status').child('conditions');
const maxConditions = 8;

/** Rules of taints for devices (pkg/apis/resource/validation, 1.36). */
export function validateDeviceTaintRule({ spec = {} }: DeviceTaintRule): FieldError[] {
  const path = specPath.child('deviceSelector');
  const { device, driver, pool } = spec.deviceSelector ?? {};
  return [
    ...present(driverName)(driver, path.child('driver')),
    ...present(poolName)(pool, path.child('pool')),
    ...present(label)(device, path.child('device')),
    ...taint(spec.taint ?? ({} as never), taintPath),
  ];
}

/** An effect that stays is not looked at again. */
export function validateDeviceTaintRuleUpdate(rule: DeviceTaintRule, old: DeviceTaintRule): FieldError[] {
  const errors = validateDeviceTaintRule(rule);
  return (rule.spec?.taint?.effect ?? '') === (old.spec?.taint?.effect ?? '')
    ? errors.filter(({ field }) => field !== effectPath)
    : errors;
}

/** Conditions, eight at most. */
export function validateDeviceTaintRuleStatus({ status = {} }: DeviceTaintRule, release: ReleaseAge): FieldError[] {
  const { conditions = [] } = status;
  return [
    ...validateConditions(conditions, conditionsPath, release),
    ...(conditions.length > maxConditions ? [tooMany(conditionsPath, conditions.length, maxConditions)] : []),
  ];
}
