/** The variable that says where the reporter writes the files whose tests have failed. */
export const FAILED_FILES = 'KUBECHAIN_FAILED_FILES';
