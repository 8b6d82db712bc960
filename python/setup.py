"""What pyproject.toml cannot say: the shared library goes into the package,
if there is one: that of COOC_LIBRARY, or of ../build.  Else the package takes
the one that is installed on the system."""

import os
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = os.path.dirname(os.path.abspath(__file__))
SONAME = "libcooc.so.0.1"
LIBRARY = os.environ.get("COOC_LIBRARY") or f"{HERE}/../build/{SONAME}"


class BuildWithLibrary(build_py):
    def run(self):
        shutil.rmtree(f"{self.build_lib}/cooc", ignore_errors=True)
        super().run()       # nothing of an earlier version stays
        if os.path.exists(LIBRARY):
            shutil.copyfile(LIBRARY, f"{self.build_lib}/cooc/{SONAME}")

    def get_outputs(self, include_bytecode=1):
        outputs = super().get_outputs(include_bytecode)
        return outputs + [f"{self.build_lib}/cooc/{SONAME}"] * \
            os.path.exists(LIBRARY)


class ForThisMachine(Distribution):
    """A library of machine code is inside."""

    def has_ext_modules(self):
        return os.path.exists(LIBRARY)


setup(cmdclass={"build_py": BuildWithLibrary}, distclass=ForThisMachine)
