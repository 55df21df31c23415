import type { FieldPath, LabelSelectorObject } from '@kubechain/apimachinery';
import { isLabelValue } from '@kubechain/apimachinery';
import type { NodeSelectorTerm } from '@kubechain/apimachinery/types/core/v1';

/** Labels of nodes that are not used any more (pkg/api/node/util.go, 1.36). */
const messages: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** What is to be said of a label of nodes; undefined for labels that are in use. */
export function nodeLabelMessage(label: string): string | undefined {
  return messages.get(label);
}

/** Labels in a term that selects nodes, and with `checkValues` values that no label can have. */
export function nodeSelectorTermWarnings(
  { matchExpressions = [] }: NodeSelectorTerm,
  path: FieldPath,
  checkValues: boolean,
): string[] {
  return matchExpressions.flatMap(({ key, values = [] }, i) => {
    const at = path.child('matchExpressions').index(i);
    const message = messages.get(key);
    return [
      ...(message === undefined ? [] : [`${at.child('key').toString()}: ${key} is ${message}`]),
      ...(checkValues
        ? values.flatMap((value, j) =>
            isLabelValue(value).map(
              (problem) => `${at.child('values').index(j).toString()}: ${value} is invalid, ${problem}`,
            ),
          )
        : []),
    ];
  });
}

/** The same for a label selector of nodes. */
export function nodeSelectorWarnings(selector: LabelSelectorObject | undefined, path: FieldPath): string[] {
  return [
    ...(selector?.matchExpressions ?? []).flatMap(({ key = '' }, i) => {
      const message = messages.get(key);
      return message === undefined
        ? []
        : [`${path.child('matchExpressions').index(i).child('key').toString()}: ${key} is ${message}`];
    }),
    ...Object.keys(selector?.matchLabels ?? {}).flatMap((label) => {
      const message = messages.get(label);
      return message === undefined ? [] : [`${path.child('matchLabels').child(label).toString()}: ${message}`];
    }),
  ];
}
