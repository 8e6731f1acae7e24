#include "cseccomp.h"
