// The files that cannot share. Other files run next to each other: a file shares its process with the files before it,
// and a file that needs services shares the machine with two more. Each entry says why.

export const alone: Readonly<Record<string, string>> = {
  'tests/api/access/key-refusals.unit.test.ts':
    'it counts how often each block of code runs, in a process where nothing else has run',
  'tests/whole/service/access-instances.service.test.ts':
    'its limiter takes Redis for gone, and counts by shares, where busy cores keep an answer for too long',
};
