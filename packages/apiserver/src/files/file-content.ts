import { FollowedFiles, type FollowedFilesOptions } from '@kubechain/apimachinery/followed-files';
import { Logger } from '../logging/logger.ts';

const log = new Logger('files');

/** What some files are read into. */
export type FileContentOptions<T> = Pick<FollowedFilesOptions<T>, 'now' | 'paths' | 'read'>;

/** Files of a server, read again when they change, which its log tells. */
export class FileContent<T> extends FollowedFiles<T> {
  /** @throws what `read` throws */
  constructor(options: FileContentOptions<T>) {
    super({
      ...options,
      onReload: (paths) => log.info('Reloaded files', { paths: paths.join(',') }),
      onError: (error, paths) =>
        log.error('Files changed but cannot be used; what they held stays', error, { paths: paths.join(',') }),
    });
  }
}
