import type { TableConvertor } from './table-convertor.ts';

/** Description of a name column, from meta/v1 ObjectMeta. */
export const nameDescription =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may ' +
  'allow a client to request the generation of an appropriate name automatically. Name is primarily intended ' +
  'for creation idempotence and configuration definition. Cannot be updated. More info: ' +
  'https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';
/** Description of a creation time column, from meta/v1 ObjectMeta. */
export const createdDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not ' +
  'guaranteed to be set in happens-before order across separate operations. Clients may not set this value. ' +
  'It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. ' +
  'More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

/** Name and time of creation: how everything prints that has no columns of its own (rest.NewDefaultTableConvertor). */
export const defaultTable: TableConvertor = {
  columns: [
    { name: 'Name', type: 'string', format: 'name', description: nameDescription, priority: 0 },
    { name: 'Created At', type: 'date', format: '', description: createdDescription, priority: 0 },
  ],
  row: ({ metadata }) => ({ cells: [metadata?.name ?? '', metadata?.creationTimestamp ?? '0001-01-01T00:00:00Z'] }),
};
