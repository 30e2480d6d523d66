import fc from 'fast-check';

/** That a property falls is enough: the smallest case of a mutant is read by nobody. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
