import type { ClusterRoleBinding, RoleBinding, Subject } from '@kubechain/apimachinery/types/rbac/v1';
import { ageOf, nameOf } from '../table/printer.ts';
import type { Printer } from '../table/printer.ts';

/** Both kinds of bindings. */
export const printBinding: Printer<RoleBinding | ClusterRoleBinding> = (binding) => {
  const names = (kind: string, text: (subject: Subject) => string): string =>
    (binding.subjects ?? [])
      .filter((subject) => subject.kind === kind)
      .map(text)
      .join(', ');
  return [
    nameOf(binding),
    `${binding.roleRef?.kind ?? ''}/${binding.roleRef?.name ?? ''}`,
    ageOf(binding),
    names('User', (subject) => subject.name),
    names('Group', (subject) => subject.name),
    names('ServiceAccount', (subject) => `${subject.namespace ?? ''}/${subject.name}`),
  ];
};
