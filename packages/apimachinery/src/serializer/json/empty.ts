/** Whether Go's omitempty leaves the value out: `""`, `0`, `false`, null, and empty lists and objects. */
export function isEmptyValue(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value === '';
    case 'number':
      return value === 0;
    case 'bigint':
      return value === 0n;
    case 'boolean':
      return !value;
    case 'object': {
      if (value === null) return true;
      if (Array.isArray(value)) return value.length === 0;
      for (const key in value) {
        void key;
        return false;
      }
      return true;
    }
    default:
      return value === undefined;
  }
}
