import { forbiddenValue, invalidValue, isDNS1123Label, isDNS1123Subdomain, isLabelValue, isQualifiedName, notSupported, rangeMessage, required, validateAnnotations, validateLabels } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { PodSpec, PodTemplateSpec, Toleration } from '@kubechain/apimachinery/types/core/v1';
import { validateContainers, validateInitContainers } from './container.ts';
import { validateVolumes } from './volumes.ts';

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const maxInt32 = 2 ** 31 - 1;

/** Rules of pod specs that pods and templates share, as far as they are built (ValidatePodSpec of pkg/apis/core/validation, 1.36). */
export function validatePodSpec(spec: PodSpec, path: FieldPath): FieldError[] {
  const { errors, names } = validateVolumes(spec.volumes, path.child('volumes'));
  const pod = { volumes: names, gracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 0, others: spec.containers ?? [] };
  errors.push(
    ...validateContainers(spec.containers, path.child('containers'), pod), ...validateInitContainers(spec.initContainers, path.child('initContainers'), pod),
    ...oneOf(spec.restartPolicy, restartPolicies, path.child('restartPolicy')), ...oneOf(spec.dnsPolicy, dnsPolicies, path.child('dnsPolicy')),
    ...validateLabels(spec.nodeSelector ?? {}, path.child('nodeSelector')),
  );
  const name = (field: 'serviceAccountName' | 'nodeName' | 'hostname' | 'subdomain' | 'priorityClassName' | 'runtimeClassName', check: (text: string) => readonly string[]): void => {
    const value = spec[field];
    if (value) errors.push(...check(value).map((message) => invalidValue(path.child(field), value, message)));
  };
  name('serviceAccountName', isDNS1123Subdomain);
  name('nodeName', isDNS1123Subdomain);
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > maxInt32)) errors.push(invalidValue(path.child('activeDeadlineSeconds'), deadline, rangeMessage(1, maxInt32)));
  name('hostname', isDNS1123Label);
  name('subdomain', isDNS1123Label);
  errors.push(...validateTolerations(spec.tolerations, path.child('tolerations')));
  name('priorityClassName', isDNS1123Subdomain);
  name('runtimeClassName', isDNS1123Subdomain);
  return errors;
}

function oneOf(value: string | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  if (!value) return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

/** Tolerations of pods and runtime classes. */
export function validateTolerations(tolerations: readonly Toleration[] | undefined, path: FieldPath): FieldError[] {
  return (tolerations ?? []).flatMap((toleration, i) => {
    const at = path.index(i);
    const { effect = '', key = '', operator = '', tolerationSeconds, value = '' } = toleration as { effect?: string; key?: string; operator?: string; tolerationSeconds?: number; value?: string };
    const errors = key === '' ? [] : isQualifiedName(key).map((message) => invalidValue(at.child('key'), key, message));
    if (key === '' && operator !== 'Exists') errors.push(invalidValue(at.child('operator'), operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"'));
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') errors.push(invalidValue(at.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    if (operator === 'Equal' || operator === '') {
      const messages = isLabelValue(value);
      if (messages.length > 0) errors.push(invalidValue(at.child('operator'), value, messages.join(';')));
    } else if (operator === 'Exists') {
      if (value !== '') errors.push(invalidValue(at.child('operator'), value, "value must be empty when `operator` is 'Exists'"));
    } else errors.push(notSupported(at.child('operator'), operator, operator === 'Lt' || operator === 'Gt' ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists']));
    if (effect !== '' && !effects.includes(effect)) errors.push(notSupported(at.child('effect'), effect, effects));
    return errors;
  });
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Rules of templates (ValidatePodTemplateSpec). */
export function validatePodTemplate(template: PodTemplateSpec, path: FieldPath): FieldError[] {
  return [
    ...validateLabels(template.metadata?.labels ?? {}, path.child('labels')), ...validateAnnotations(template.metadata?.annotations ?? {}, path.child('annotations')),
    ...validatePodSpec(template.spec ?? { containers: [] }, path.child('spec')),
    ...((template.spec?.ephemeralContainers?.length ?? 0) > 0 ? [forbiddenValue(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template')] : []),
  ];
}
