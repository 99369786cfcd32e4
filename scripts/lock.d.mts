export declare function withLock<T>(path: string, waiting: (pid: number) => void, work: () => Promise<T>): Promise<T>;
