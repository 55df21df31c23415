import { ageSince, createdDescription, nameDescription } from '@kubechain/apiserver/resources';
import type { TableCell, TableConvertor } from '@kubechain/apiserver/resources';
import { isFormatError, limits, parseRFC3339 } from '@kubechain/apimachinery';
import type { CRDVersion } from '../definition/crd-types.ts';
import { JSONPath, printResult } from '../schema/json-path.ts';

type PrinterColumn = NonNullable<CRDVersion['additionalPrinterColumns']>[number];

const age: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description: createdDescription,
  jsonPath: '.metadata.creationTimestamp',
};

/** How a version's objects print: name, then the CRD's columns, or else the age (tableconvertor.go, 1.36). */
export function printerColumns(version: CRDVersion): TableConvertor {
  const own = version.additionalPrinterColumns ?? [];
  const columns = readable(own.length === 0 ? [age] : own);
  return {
    columns: [
      { name: 'Name', type: 'string', format: 'name', description: nameDescription, priority: 0 },
      ...columns.map(({ description = '', format = '', jsonPath, name, priority = 0, type }) => ({
        name,
        type,
        format,
        description:
          description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
        priority,
      })),
    ],
    row: (object) => {
      const steps = { left: limits.columnSteps.value };
      return {
        cells: [object.metadata?.name ?? '', ...columns.map(({ path, type }) => cell(path.first(object, steps), type))],
      };
    },
  };
}

/** The columns up to the first whose path cannot be read: the reference's table ends there. */
function readable(columns: readonly PrinterColumn[]): readonly (PrinterColumn & { readonly path: JSONPath })[] {
  const found: (PrinterColumn & { readonly path: JSONPath })[] = [];
  for (const column of columns) {
    try {
      found.push({ ...column, path: JSONPath.parse(column.jsonPath) });
    } catch (error) {
      if (!isFormatError(error)) throw error;
      break;
    }
  }
  return found;
}

function cell(value: unknown, type: string): TableCell {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'string':
      return printResult(value);
    case 'integer':
      return typeof value === 'number' ? int64Of(value) : typeof value === 'bigint' ? value : null;
    case 'number':
      return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value) : null;
    default:
      return null;
  }
}

/** As Go converts a float: what no int64 can be is the least one. */
function int64Of(value: number): number | bigint {
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2n ** 63n);
}

function dateCell(value: string): TableCell {
  if (value === '') return '<unknown>';
  try {
    parseRFC3339(value);
  } catch {
    return '<invalid>';
  }
  return ageSince(value);
}
