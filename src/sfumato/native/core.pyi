from sfumato._core import *
