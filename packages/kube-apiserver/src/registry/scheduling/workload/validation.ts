import { duplicate, FieldPath, invalidValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { CompositePodGroupTemplate, PodGroupTemplate, Workload } from '../scheduling-types.ts';

const specPath = FieldPath.of('spec');
/** WorkloadMaxTemplateDepth of pkg/apis/scheduling. */
const maxDepth = 4;

/** What a workload's templates are held to together, since 1.37 (ValidateWorkloadSpec of pkg/apis/scheduling). */
export function validateTemplates({ spec = {} }: Workload): FieldError[] {
  const composite = spec.compositePodGroupTemplates ?? [];
  const names = new Set((spec.podGroupTemplates ?? []).map(nameOf));
  const path = specPath.child('compositePodGroupTemplates');
  return [
    ...repeatedIn(composite, specPath, names),
    ...composite.flatMap((template, i) =>
      depthOf(template) > maxDepth
        ? [
            invalidValue(
              path.index(i),
              template.compositePodGroupTemplates ?? null,
              `maximum template hierarchy depth is ${maxDepth}`,
            ),
          ]
        : [],
    ),
    ...priorityMistakes(spec),
    ...composite.flatMap((template, i) => childless(template, path.index(i))),
  ];
}

function nameOf({ name = '' }: PodGroupTemplate): string {
  return name;
}

/** Names that another list has already; those of one list are told by the list's own rules. */
function repeatedIn(
  templates: readonly CompositePodGroupTemplate[],
  path: FieldPath,
  names: Set<string>,
): FieldError[] {
  const at = path.child('compositePodGroupTemplates');
  const taken = (list: readonly PodGroupTemplate[], where: FieldPath): FieldError[] => {
    const errors = list.flatMap((template, i) =>
      names.has(nameOf(template)) ? [duplicate(where.index(i).child('name'), nameOf(template))] : [],
    );
    for (const template of list) names.add(nameOf(template));
    return errors;
  };
  const own = taken(templates, at);
  return [
    ...own,
    ...templates.flatMap((template, i) => [
      ...taken(template.podGroupTemplates ?? [], at.index(i).child('podGroupTemplates')),
      ...repeatedIn(template.compositePodGroupTemplates ?? [], at.index(i), names),
    ]),
  ];
}

function depthOf({ compositePodGroupTemplates = [] }: CompositePodGroupTemplate): number {
  return 1 + Math.max(0, ...compositePodGroupTemplates.map(depthOf));
}

/** All groups have one priority. */
function priorityMistakes({
  compositePodGroupTemplates = [],
  podGroupTemplates = [],
}: NonNullable<Workload['spec']>): FieldError[] {
  const priorityOf = ({ priority, priorityClassName = '' }: PodGroupTemplate): string =>
    JSON.stringify([priorityClassName, priority ?? null]);
  const below = (template: CompositePodGroupTemplate): readonly string[] => [
    priorityOf(template),
    ...(template.compositePodGroupTemplates ?? []).flatMap(below),
    ...(template.podGroupTemplates ?? []).map(priorityOf),
  ];
  if (new Set(podGroupTemplates.map(priorityOf)).size > 1)
    return [invalidValue(specPath, null, 'detected multiple priority configurations')];
  if (new Set([...podGroupTemplates.map(priorityOf), ...compositePodGroupTemplates.flatMap(below)]).size > 1)
    return [
      invalidValue(
        specPath,
        null,
        'all priority and priorityClassName values must be identical, detected multiple values',
      ),
    ];
  return [];
}

function childless(template: CompositePodGroupTemplate, path: FieldPath): FieldError[] {
  const { compositePodGroupTemplates = [], podGroupTemplates = [] } = template;
  return [
    ...(compositePodGroupTemplates.length === 0 && podGroupTemplates.length === 0
      ? [
          invalidValue(
            path,
            nameOf(template),
            'must have at least one child PodGroupTemplate or CompositePodGroupTemplate',
          ),
        ]
      : []),
    ...compositePodGroupTemplates.flatMap((child, i) =>
      childless(child, path.child('compositePodGroupTemplates').index(i)),
    ),
  ];
}
