// The licence that the API descriptions of both listeners state: that of this repository's packages, in npm's word for software that grants
// its users no rights.

/** `license` of OpenAPI's `info`; the identifier is SPDX's form of a word that is not on its list. */
export const licence = { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' } as const;
