import {
  FieldPath,
  forbiddenValue,
  invalidValue,
  isConfigMapKey,
  isDNS1123Label,
  isDNS1123Subdomain,
  required,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  ConfigMapNodeConfigSource,
  NodeConfigSource,
  NodeSpec,
  NodeStatus,
} from '@kubechain/apimachinery/types/core/v1';
import { internalForm } from '../../validation/internal-form.ts';
import { fields, format, needed } from '../../validation/rules.ts';

const mapRules = fields<ConfigMapNodeConfigSource>({
  namespace: needed(format(isDNS1123Label)),
  name: needed(format(isDNS1123Subdomain)),
  kubeletConfigKey: needed(format(isConfigMapKey)),
});

/**
 * Configuration of a kubelet from a ConfigMap, which only old nodes have (validateNodeConfigSourceSpec and
 * validateNodeConfigStatus of pkg/apis/core/validation, 1.36).
 */
export function validateNodeConfig(spec: NodeSpec, status: NodeStatus | undefined): FieldError[] {
  const statusPath = FieldPath.of('status', 'config');
  return [
    ...validateSource(spec.configSource, FieldPath.of('spec', 'configSource'), notYetKnown),
    ...(['assigned', 'active', 'lastKnownGood'] as const).flatMap((field) =>
      validateSource(status?.config?.[field], statusPath.child(field), known),
    ),
  ];
}

type MapRule = (source: ConfigMapNodeConfigSource, path: FieldPath) => FieldError[];

/** Which version of the ConfigMap it is, is not for the spec to say, but for the status. */
const notYetKnown: MapRule = ({ resourceVersion, uid }, path) => [
  ...(uid ? [forbiddenValue(path.child('uid'), 'uid must not be set in spec')] : []),
  ...(resourceVersion
    ? [forbiddenValue(path.child('resourceVersion'), 'resourceVersion must not be set in spec')]
    : []),
];
const known: MapRule = ({ resourceVersion, uid }, path) => [
  ...(uid ? [] : [required(path.child('uid'))]),
  ...(resourceVersion ? [] : [required(path.child('resourceVersion'))]),
];

function validateSource(source: NodeConfigSource | undefined, path: FieldPath, rule: MapRule): FieldError[] {
  if (source === undefined) return [];
  const { configMap } = source;
  if (configMap === undefined)
    return [
      invalidValue(
        path,
        internalForm('core.NodeConfigSource', source),
        'exactly one reference subfield must be non-nil',
      ),
    ];
  const at = path.child('configMap');
  return [...rule(configMap, at), ...mapRules(configMap, at)];
}
