// What the book says to readers beyond the interface of the contract: whole pages, and sections of others. readers.md says what proves each
// sentence.

/** `sections`: null for all of the page. */
export const readersPages: readonly { page: string; sections: readonly string[] | null }[] = [
  {
    page: 'docs/interface.md',
    sections: ['Live page', 'Moves of lines', 'Rows', 'Odds of games', 'Waiting', 'Events'],
  },
  { page: 'docs/odds.md', sections: null },
  { page: 'docs/clients.md', sections: null },
  { page: 'docs/proxy.md', sections: null },
  { page: 'docs/operations.md', sections: ['Warnings', 'Strict and validating pushes', 'Listed refusals'] },
];
