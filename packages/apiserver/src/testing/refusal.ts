import { StatusError } from '@kubechain/apimachinery';

/** The Status that some work is refused with; every other error is thrown on, and so is success. */
export async function refusal(work: () => unknown): Promise<StatusError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new TypeError('was not refused');
}
