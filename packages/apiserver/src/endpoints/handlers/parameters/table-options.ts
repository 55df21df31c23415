import { badRequest } from '@kubechain/apimachinery';

/** How much of each object a table carries. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** meta/v1 TableOptions. '' means Metadata. @throws StatusError BadRequest */
export function includeObjectOption(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  switch (value) {
    case '':
      return 'Metadata';
    case 'None':
    case 'Metadata':
    case 'Object':
      return value;
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: ` +
          `must be 'Metadata', 'Object', 'None', or empty`,
      );
  }
}
