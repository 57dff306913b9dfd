from wuhan_core._types cimport System

cdef const System* system(bint head_258, bint fifth) except NULL
