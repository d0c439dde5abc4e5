#include "variant.h"

using namespace shapecast;

std::string shapecast::guardText(np::GuardAttr guard) {
    std::string text = np::dimText(guard.getLhs()) + " " + guard.getPred().str() + " " +
                       np::dimText(guard.getRhs());
    return guard.getLine() > 0 ? text + " (line " + std::to_string(guard.getLine()) + ")" : text;
}
