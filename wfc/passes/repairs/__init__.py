"""What an author could write instead: the patches that passes offer with their findings (reference 3.1).

Guarantees: each patch opens with a `test` of what it changes. Whether it repairs anything is for `wfc.checking` to say,
which applies it.
"""
