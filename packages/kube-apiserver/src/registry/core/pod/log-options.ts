import { FieldPath, forbiddenValue, invalidValue, notSupported } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';

/** What the query of a log may ask for (core/v1 PodLogOptions); fields that it does not name are absent. */
export interface PodLogOptions {
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly sinceSeconds?: number;
  /** RFC 3339. */
  readonly sinceTime?: string;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly insecureSkipTLSVerifyBackend?: boolean;
  readonly stream?: string;
}

const logStreams: readonly string[] = ['All', 'Stderr', 'Stdout'];

/**
 * What is wrong with the options of a log (ValidatePodLogOptions of pkg/apis/core/validation, 1.36). `selectsStreams`:
 * feature gate PodLogsQuerySplitStreams.
 */
export function validatePodLogOptions(options: PodLogOptions, selectsStreams: boolean): FieldError[] {
  const { limitBytes, sinceSeconds, sinceTime, stream, tailLines } = options;
  const errors: FieldError[] = [];
  const at = (name: string): FieldPath => FieldPath.root.child(name);
  const nowhere = FieldPath.root.key('');
  if (tailLines !== undefined && tailLines < 0)
    errors.push(invalidValue(at('tailLines'), tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalidValue(at('limitBytes'), limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbiddenValue(nowhere, 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(invalidValue(at('sinceSeconds'), sinceSeconds, 'must be greater than 0'));
  if (!selectsStreams)
    return stream === undefined ? errors : [...errors, forbiddenValue(at('stream'), 'may not be specified')];
  const selected = stream ?? 'All';
  if (!logStreams.includes(selected)) errors.push(notSupported(at('stream'), selected, logStreams));
  if (selected !== 'All' && tailLines !== undefined)
    errors.push(forbiddenValue(nowhere, '`tailLines` and specific `stream` are mutually exclusive for now'));
  return errors;
}
