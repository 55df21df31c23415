import { defaultTable } from '@kubechain/apiserver/resources';
import type { TableConvertor } from '@kubechain/apiserver/resources';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';

const column = (
  name: string,
  description: string,
  { priority = 0, type = 'string' } = {},
): TableConvertor['columns'][number] => ({ name, type, format: '', description, priority });
const [name, createdAt] = defaultTable.columns;
const wide = { priority: 1 };

/** How CRDs print since 1.37 (apiextensions-apiserver pkg/registry/customresourcedefinition/tableconvertor). */
export const crdTable: TableConvertor = {
  columns: [
    ...(name === undefined ? [] : [name]),
    column('Scope', 'Cluster/Namespaced'),
    column('Versions', 'Served versions'),
    ...(createdAt === undefined ? [] : [createdAt]),
    column('Group', 'API group', wide),
    column('Kind', 'CustomResource kind', wide),
    column('ShortNames', 'Short names', wide),
    column('Established', 'Established status', { priority: 1, type: 'boolean' }),
  ],
  row: (object, ...rest) => {
    const { spec, status } = object as CustomResourceDefinition;
    const { cells, ...row } = defaultTable.row(object, ...rest);
    const [called = '', created = ''] = cells;
    const versions = spec.versions.filter(({ served }) => served);
    return {
      ...row,
      cells: [
        called,
        spec.scope,
        versions
          .map((version) => `${version.name}${version.storage ? '(storage)' : ''}`)
          .sort()
          .join(','),
        created,
        spec.group,
        spec.names.kind,
        (spec.names.shortNames ?? []).join(','),
        (status?.conditions ?? []).some((condition) => condition.type === 'Established' && condition.status === 'True'),
      ],
    };
  },
};
