import { strictWarnings } from '@kubechain/apimachinery';
import type { RequestContext } from '../../request/request-context.ts';

/** One warning for each unknown or duplicate field. */
export function addStrictWarnings(context: RequestContext, errors: readonly string[]): void {
  for (const warning of strictWarnings(errors)) context.addWarning(warning);
}
