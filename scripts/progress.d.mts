export declare function startProgress(title: string, detail?: () => string): { done(): void; fail(): void };
