export { MemoryRevisions, MemoryStorage } from './memory-storage.ts';
